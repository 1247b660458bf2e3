#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of `make web` in Chromium, beside the native program. Skipped where there is no page, no browser or no node.
set -u
here=$(cd "$(dirname "$0")" && pwd)
bankshot=$1
page=${WEB_PAGE:-$here/../../build/web/index.html}
skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null || skip "node is not installed"
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no Chromium is installed"
export CHROMIUM
[ -f "$page" ] || skip "there is no $page (make web)"
# A page of other sources than this program's is no subject for a comparison.
model=$("$bankshot" list gpus volta --json | sed -n 's/^ "model": "\(.*\)",/\1/p')
grep -q "data-model=\"$model\"" "$page" || skip "$page was made of other sources (make web)"
exec node "$here/page.js" "$bankshot" "$page" ${WEB_PICTURES:+"$WEB_PICTURES"}
