#!/bin/sh
# /usr/local/sbin/bursar: a command of Bursar as its services run, with their user, settings, folder and secrets:
#   bursar status      bursar doctor --quiet      bursar restore --drill /var/backups/bursar/<name>
set -eu
show() { systemctl show --property="$1" --value bursar.service; }
if [ -x /opt/bursar/bursar ]; then
  set -- /opt/bursar/bursar "$@"
else
  set -- /opt/bursar/.cache/bin/bun run --silent "$@"
fi
# A question needs the terminal; what is read by a program must not get one.
if [ -t 0 ] && [ -t 1 ]; then set -- --pty "$@"; else set -- --pipe "$@"; fi
# systemctl show cannot print them.
for secret in $(systemctl cat bursar.service | sed -n 's/^LoadCredential=//p'); do set -- --property=LoadCredential="$secret" "$@"; done
exec systemd-run --quiet --collect --wait --uid=bursar --gid=bursar --property=UMask=0077 \
  --property=WorkingDirectory="$(show WorkingDirectory)" --property=Environment="$(show Environment)" \
  --property=EnvironmentFile=-/etc/bursar/bursar.env "$@"
