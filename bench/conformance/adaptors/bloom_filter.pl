#!/usr/bin/perl
# Bloom::Filter behind the protocol of docs/pipe.md.
use strict;
use warnings;
use Bloom::Filter;
$| = 1;
my %filters;

while (my $line = <STDIN>) {
	my ($command, $id, @words) = split ' ', $line;
	my $answer = 'ok';
	if ($command eq 'hello') {
		$answer = 'ok standard 0 version=2 make bits seeded';
	} elsif ($command eq 'make') {
		my $f = $filters{$id} = Bloom::Filter->new(capacity => $words[0], error_rate => $words[1]);
		$f->{capacity} = 1e15; # a filter refuses keys beyond its capacity; more are added here
		$answer = "ok $f->{filter_length} $f->{num_hash_funcs}";
	} elsif ($command eq 'bits') {
		$answer = $filters{$id}->on_bits;
	} elsif ($command eq 'free') {
		delete $filters{$id};
	} else {
		my @keys = map { $_ eq '-' ? '' : pack('H*', $_) } @words;
		if ($command eq 'add') { $filters{$id}->add(@keys) }
		else { $answer = join '', map { $_ ? 1 : 0 } $filters{$id}->check(@keys) }
	}
	print "$answer\n";
}
