#!/bin/sh
# Runs inside the container, as root, beside a real systemd. Each line of /out/results is NAME=VALUE.
note() { echo "$1=$2" >>/out/results; }
of() { systemctl show linewatch --value -p "$1"; }
# Waits until the command holds, for at most so many seconds.
until_holds() {
  seconds=$1
  shift
  for _ in $(seq $((seconds * 10))); do
    if eval "$*"; then return 0; fi
    sleep 0.1
  done
  return 1
}

/bin/sh /opt/linewatch/dist/main.js provider --port 8700 >/out/provider 2>&1 &
until_holds 20 'grep -q 8700 /out/provider'

systemctl start linewatch
note start $?
note state "$(of ActiveState)"
note status "$(of StatusText)"
note user "$(ps -o user= -p "$(of MainPID)")"
note program "$(ps -o comm= -p "$(of MainPID)")"
note state_mode "$(stat -c %a /var/lib/linewatch)"

before=$(of MainPID)
systemctl reload linewatch
note reload $?
until_holds 10 'journalctl -u linewatch -q | grep -q "read again"'
note reloaded $?
[ "$(of MainPID)" = "$before" ]
note same_process $?

# The watchdog of the drop-in waits five seconds.
kill -STOP "$before"
until_holds 30 '[ "$(of NRestarts)" = 1 ] && [ "$(of ActiveState)" = active ]'
note stopped_is_restarted $?
[ "$(of MainPID)" != "$before" ]
note other_process $?

kill -KILL "$(of MainPID)"
until_holds 30 '[ "$(of NRestarts)" = 2 ] && [ "$(of ActiveState)" = active ]'
note killed_is_restarted $?

began=$(date +%s)
systemctl stop linewatch
note stop $?
note result "$(of Result)"
[ $(($(date +%s) - began)) -le 10 ]
note stops_in_time $?

sed -i 's/interval: 1s/interval: soon/' /etc/linewatch/linewatch.yaml
timeout 20 systemctl start linewatch
note wrong_start $?
note wrong_status "$(systemctl status linewatch 2>&1 | grep -c interval)"
systemctl stop linewatch
journalctl -u linewatch -q -o short >/out/journal
journalctl -u linewatch -q LINEWATCH_EVENT=transition -o cat >/out/transitions
journalctl -u linewatch -q -o json --output-fields=SYSLOG_IDENTIFIER | grep -c '"SYSLOG_IDENTIFIER":"linewatch"' >/out/identified
