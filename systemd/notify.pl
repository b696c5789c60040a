#!/usr/bin/perl
# notify.pl COMMAND ARGUMENT...: runs the command with a socket on which it can talk to systemd.
#
# Node.js cannot open a datagram socket of the kind systemd listens on, but it can write to one that is open. This connects
# it, names its descriptor in LINEWATCH_NOTIFY_FD and becomes the command: no other process remains.
use strict;
use warnings;
use Fcntl qw(F_GETFL F_SETFL F_SETFD O_NONBLOCK);
use Socket qw(PF_UNIX SOCK_DGRAM pack_sockaddr_un);

my $socket;
my $address = delete $ENV{NOTIFY_SOCKET};
if (defined $address && $address ne '') {
    # An address that begins with @ has no file.
    $address =~ s/^\@/\0/;
    if (socket($socket, PF_UNIX, SOCK_DGRAM, 0) && connect($socket, pack_sockaddr_un($address))) {
        # A systemd that does not listen at the moment must not hold up the watch.
        fcntl($socket, F_SETFL, fcntl($socket, F_GETFL, 0) | O_NONBLOCK);
        fcntl($socket, F_SETFD, 0);
        $ENV{LINEWATCH_NOTIFY_FD} = fileno $socket;
    }
    else {
        warn "notify.pl: systemd cannot be told how things stand: $!\n";
    }
}
exec { $ARGV[0] } @ARGV or die "notify.pl: $ARGV[0] cannot be run: $!\n";
