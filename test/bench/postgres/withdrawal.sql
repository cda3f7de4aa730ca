\set account random(0, 4999)
SELECT withdraw(('01900001-0000-7000-8000-' || lpad(to_hex((:account)::int), 12, '0'))::uuid, '01900000-0000-7000-8000-000000000000', 'testnet', 0.000001, 'destination');
