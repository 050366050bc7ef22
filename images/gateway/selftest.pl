#!/usr/bin/perl
# Tries to get out of an install network; says what happened, and judges nothing. Uses perl-base alone.
#
#   selftest.pl wait=HOST:PORT… try=HOST:PORT… name=NAME…
#
# Prints "wait|try HOST:PORT STATE" (connected, refused, unreachable, timeout, unresolved), "name NAME ADDRESS|none", and
# "route 6" for a default route of IPv6. (Engines before 28 leave one of IPv4, to a neighbour that is not there: the kernel
# needs three seconds to find that out, hence the time for each.) "wait" tries again for up to 30 s, since the gateway may
# just be starting; a name that is not there is one of a gateway that has ended.
use strict;
use warnings;
use Errno qw(EINPROGRESS ECONNREFUSED ECONNRESET);
use Socket;

# On a busy host the kernel may call a socket writable without an error that never came to be connected: only one with a peer is.
# Whoever has none, again and again, counts as connected, since this is to fail closed.
sub attempt {
  for (1 .. 5) {
    my $state = once(@_);
    return $state if $state ne 'unclear';
  }
  return 'connected';
}

sub once {
  my ($target, $seconds) = @_;
  my ($host, $port) = $target =~ /^(.+):(\d+)$/ or return 'unresolved';
  my $address = inet_aton($host) or return 'unresolved';
  socket(my $socket, PF_INET, SOCK_STREAM, 0) or return 'unreachable';
  require IO::Handle;
  $socket->blocking(0);
  return 'connected' if connect $socket, sockaddr_in($port, $address);
  return $! == ECONNREFUSED ? 'refused' : 'unreachable' unless $! == EINPROGRESS;
  vec(my $writable = '', fileno $socket, 1) = 1;
  return 'timeout' unless select undef, $writable, undef, $seconds;
  my $error = unpack 'i', getsockopt $socket, SOL_SOCKET, SO_ERROR;
  return defined getpeername $socket ? 'connected' : 'unclear' if $error == 0;
  return $error == ECONNREFUSED || $error == ECONNRESET ? 'refused' : 'unreachable';
}

$| = 1;
my @children;
for (@ARGV) {
  my ($kind, $what) = split /=/, $_, 2;
  my $child = fork;
  die "fork: $!" unless defined $child;
  if ($child) { push @children, $child; next; }
  if ($kind eq 'name') {
    my $address = gethostbyname $what;
    syswrite STDOUT, "name $what " . ($address ? inet_ntoa($address) : 'none') . "\n";
  } else {
    my ($state, $begun) = (attempt($what, 6), time);
    while ($kind eq 'wait' && $state ne 'connected' && time - $begun < ($state eq 'unresolved' ? 3 : 30)) {
      select undef, undef, undef, 0.05;
      $state = attempt($what, 6);
    }
    syswrite STDOUT, "$kind $what $state\n";
  }
  exit 0;
}
waitpid $_, 0 for @children;
if (open my $routes, '<', '/proc/net/ipv6_route') {
  while (<$routes>) { my @f = split; print "route 6\n" if $f[1] eq '00' && $f[0] eq '0' x 32 && $f[9] ne 'lo'; }
}
print "done\n";
