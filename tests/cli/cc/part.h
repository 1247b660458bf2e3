/* SPDX-License-Identifier: Apache-2.0 */
void add_one(int *device);
