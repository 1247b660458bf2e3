/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/tenant/share.h"

CONF_TABLE(share_options, "share", share_cfg, SHARE_OPTIONS);
