#!/usr/bin/perl
# notify.pl COMMAND ARGUMENT...: runs the command with sockets on which it can talk to systemd and to its journal.
#
# Node.js cannot open a datagram socket of the kind they listen on, but it can write to one that is open. This connects
# them, names their descriptors in LINEWATCH_NOTIFY_FD and LINEWATCH_JOURNAL_FD and becomes the command: no other process
# remains.
use strict;
use warnings;
use Fcntl qw(F_GETFL F_SETFL F_SETFD O_NONBLOCK);
use Socket qw(PF_UNIX SOCK_DGRAM pack_sockaddr_un);

# Kept open until the command has taken them over.
my @sockets;

# Connects to the address and names the descriptor in the environment; false where nobody listens there.
sub hand_down {
    my ($address, $name) = @_;
    # An address that begins with @ has no file.
    $address =~ s/^\@/\0/;
    my $socket;
    return 0 unless socket($socket, PF_UNIX, SOCK_DGRAM, 0) && connect($socket, pack_sockaddr_un($address));
    # A systemd that does not listen at the moment must not hold up the watch.
    fcntl($socket, F_SETFL, fcntl($socket, F_GETFL, 0) | O_NONBLOCK);
    fcntl($socket, F_SETFD, 0);
    $ENV{$name} = fileno $socket;
    push @sockets, $socket;
    return 1;
}

my $systemd = delete $ENV{NOTIFY_SOCKET};
if (defined $systemd && $systemd ne '' && !hand_down($systemd, 'LINEWATCH_NOTIFY_FD')) {
    warn "notify.pl: systemd cannot be told how things stand: $!\n";
}
# Only where the journal reads what is written anyway. Without the socket its lines are text, and nothing is lost.
if (defined $ENV{JOURNAL_STREAM}) {
    hand_down('/run/systemd/journal/socket', 'LINEWATCH_JOURNAL_FD');
}
exec { $ARGV[0] } @ARGV or die "notify.pl: $ARGV[0] cannot be run: $!\n";
