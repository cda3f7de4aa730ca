import { expect, test } from 'bun:test'
import { createClient, createIdentity, serviceConfig } from '@bursar/http'
import { localServer } from '@bursar/testing'
import { awaitUse } from '../../scripts/rotate/await-use'
import { keyFiles } from '../../scripts/rotate/targets'

test('a rotation that another one has followed waits for the key of that one', async () => {
  const key = { name: 'quote.key', keys: [{ id: 'second', until: null }], resealed: true }
  const server = localServer(() => Response.json({ rings: [key] }))
  const identity = createIdentity('gateway', Buffer.alloc(32, 7), () => new Date())
  const client = createClient({
    name: 'gateway',
    identity,
    urls: { ...serviceConfig({}, 'gateway').urls, quote: server.url },
    // A busy machine takes longer than a service waits.
    timeoutMs: 60_000,
  })
  const target = keyFiles.quote
  if (!target) throw new Error('there is no key of the quote service')
  const newest = ['first', 'second']
  const said: string[] = []
  expect(
    await awaitUse(
      client,
      target,
      () => newest.shift() ?? 'second',
      (line) => said.push(line),
    ),
  ).toEqual({
    newest: 'second',
    away: [],
  })
  expect(said).toEqual(['0 of 1 services use it; quote has not read it yet', '1 of 1 services use it'])
  await server.stop()
})
