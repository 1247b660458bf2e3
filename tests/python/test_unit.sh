#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Python package: its unit tests, on the package as pip installs it where there is pip. Usage: test_unit.sh BANKSHOT
set -eu
. "$(dirname "$0")/frame.sh"
PYTHONPATH=$root/python
if "$python" -c 'import pip, setuptools' 2>/dev/null; then
    cp -r "$root/python" "$tmp/source"
    "$python" -m pip -q install --no-index --no-deps --no-build-isolation --disable-pip-version-check --root-user-action=ignore \
        --target "$tmp/site" "$tmp/source"
    PYTHONPATH=$tmp/site
fi
export PYTHONPATH
cd "$root/python/tests"
"$python" -m unittest test_bankshot
