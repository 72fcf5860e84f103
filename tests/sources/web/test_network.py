"""Which addresses are public. Nothing here connects to any of them."""

import ipaddress

import pytest

from dehusk.sources.web._network import is_public

# All entries of the two IANA registries of special-purpose addresses, with their names.
SPECIAL = {
    "this network": ["0.0.0.0/8", "0.0.0.0/32"],
    "private use": ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"],
    "shared address space": ["100.64.0.0/10"],
    "loopback": ["127.0.0.0/8", "::1/128"],
    "link local": ["169.254.0.0/16", "fe80::/10"],
    "IETF protocol assignments": ["192.0.0.0/24", "2001::/23"],
    "IPv4 service continuity prefix": ["192.0.0.0/29"],
    "IPv4 dummy address": ["192.0.0.8/32"],
    "port control protocol anycast": ["192.0.0.9/32", "2001:1::1/128"],
    "TURN anycast": ["192.0.0.10/32", "2001:1::2/128"],
    "DNS-SD service registration anycast": ["2001:1::3/128"],
    "NAT64/DNS64 discovery": ["192.0.0.170/32", "192.0.0.171/32"],
    "documentation": ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"],
    "AS112": ["192.31.196.0/24", "192.175.48.0/24", "2001:4:112::/48", "2620:4f:8000::/48"],
    "AMT": ["192.52.193.0/24", "2001:3::/32"],
    "6to4 relay anycast": ["192.88.99.0/24", "192.88.99.2/32"],
    "benchmarking": ["198.18.0.0/15", "2001:2::/48"],
    "reserved": ["240.0.0.0/4"],
    "limited broadcast": ["255.255.255.255/32"],
    "unspecified": ["::/128"],
    "IPv4-mapped": ["::ffff:0:0/96"],
    "IPv4-IPv6 translation": ["64:ff9b::/96", "64:ff9b:1::/48"],
    "discard only": ["100::/64"],
    "dummy prefix": ["100:0:0:1::/64"],
    "Teredo": ["2001::/32"],
    "ORCHID": ["2001:10::/28", "2001:20::/28"],
    "drone remote ID": ["2001:30::/28"],
    "6to4": ["2002::/16"],
    "segment routing": ["5f00::/16"],
    "unique local": ["fc00::/7"],
    "multicast, which has a registry of its own": ["224.0.0.0/4", "ff00::/8"],
    "site local, which is no more": ["fec0::/10"],
}


@pytest.mark.parametrize("network", [one for networks in SPECIAL.values() for one in networks])
def test_no_address_with_a_special_purpose_is_public(network: str) -> None:
    whole = ipaddress.ip_network(network)
    places = {0, 1, whole.num_addresses // 2, whole.num_addresses - 1}
    for place in places:
        assert not is_public(str(whole[min(place, whole.num_addresses - 1)]))


@pytest.mark.parametrize(
    "address",
    [
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::127.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1",
        "2001:0:7f00:1:8000::80ff:fffe",
        "fe80::1%lo",
        "2606:4700::1%lo",
        "192.0.0.11",
        "192.0.0.192",
        "192.0.0.255",
    ],
)
def test_an_address_embedded_in_another_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("1.1.1.1", "8.8.8.8", "93.184.216.34", "126.255.255.255", "128.0.0.0", "191.255.255.255", "192.0.1.0"),
        *("223.255.255.255", "100.63.255.255", "100.128.0.0", "172.32.0.0", "198.20.0.0"),
        *("2001:200::1", "2003::1", "2606:4700::1111", "2620:4f:8001::1", "2a00:1450:4001::1", "3ffe::1"),
    ],
)
def test_public_addresses_are_recognized(address: str) -> None:
    assert is_public(address)
