#!/usr/bin/perl
# A name server that knows no name: logs what an install container asks for and answers NXDOMAIN. Uses perl-base alone.
use strict;
use warnings;
use IO::Socket::INET;

$| = 1;
my $socket = IO::Socket::INET->new(LocalPort => 53, Proto => 'udp') or do {
  print STDERR "gateway: no name server: $!\n";
  exit 0;
};
my %last;
while (1) {
  my $from = recv($socket, my $query, 512, 0);
  next unless defined $from && length $query >= 17;
  my ($id, $flags, $questions) = unpack 'n3', $query;
  next if $flags & 0x8000 || $questions != 1;
  my ($at, @labels) = (12);
  while ($at < length $query) {
    my $length = ord substr $query, $at++, 1;
    last if $length == 0;
    last if $length > 63 || $at + $length > length $query;
    push @labels, substr $query, $at, $length;
    $at += $length;
  }
  next if $at + 4 > length $query;
  my (undef, $address) = sockaddr_in($from);
  my $ip = inet_ntoa($address);
  (my $name = join '.', @labels) =~ s/[^A-Za-z0-9._-]/?/g;
  # At most one line a second for a name: resolvers repeat themselves, and a loop must not fill the log.
  my $now = time;
  %last = () if keys %last > 4096;
  if ($now - ($last{"$ip $name"} // 0) >= 1) {
    $last{"$ip $name"} = $now;
    printf qq({"t":%d,"ip":"%s","port":53,"dns":"%s"}\n), $now, $ip, $name;
  }
  send $socket, pack('n6', $id, 0x8180 | ($flags & 0x0100) | 3, 1, 0, 0, 0) . substr($query, 12, $at + 4 - 12), 0, $from;
}
