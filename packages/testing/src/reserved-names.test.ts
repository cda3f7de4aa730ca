import { expect, test } from 'bun:test'
import dns from 'node:dns/promises'
import { knowReservedNames } from './reserved-names'

test('a reserved name has no address, and the resolver is not asked', async () => {
  knowReservedNames()
  for (const name of ['bank.example', 'EXAMPLE', 'a.b.test', 'x.invalid']) {
    const found = await dns.lookup(name, { all: true }).catch((error) => error)
    expect(found).toMatchObject({ code: 'ENOTFOUND', message: `getaddrinfo ENOTFOUND ${name}` })
  }
})

test('any other name is looked up', async () => {
  knowReservedNames()
  const found = await dns.lookup('localhost', { all: true })
  expect(['127.0.0.1', '::1']).toContain(found[0]?.address as string)
  expect(await dns.lookup('127.0.0.1', { all: true })).toEqual([{ address: '127.0.0.1', family: 4 }])
})
