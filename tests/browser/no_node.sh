#!/bin/sh
echo "skipped: there is no node (scripts/setup.sh browser installs it)"
exit 77
