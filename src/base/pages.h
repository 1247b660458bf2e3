/* SPDX-License-Identifier: Apache-2.0 */
/* Large pages of the host for the heap. A replay touches a little of the state of every SM and channel in each window: tens of
 * megabytes, of which the processor knows too few small pages by heart to find its way without looking it up. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

/* To be called first in a program. Where the system has none to give, nothing changes. */
void pages_large(void);

#endif
