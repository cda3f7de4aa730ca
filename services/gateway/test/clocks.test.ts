// What is kept for a moment by a clock that is ahead is not kept for as long as that was ahead.
import { expect, test } from 'bun:test'
import { getOperations } from '@bursar/contracts/operations'
import type { Client } from '@bursar/http'
import { fixedClock } from '@bursar/testing'
import { createPublicKeys } from '../src/access/public-keys'
import { createDocuments } from '../src/docs-site/documents'
import { createHealthOverview } from '../src/docs-site/service-health'
import { createPlatformOperations } from '../src/operations/service-operations'
import { signingKey } from './peers'

/** How often others were asked before and after the clock was set right by a day. */
async function asked(ask: (client: Client, now: () => number) => () => Promise<unknown>): Promise<number[]> {
  const clock = fixedClock('2026-03-02T12:00:00.000Z')
  const { publicJwk } = await signingKey('a')
  let calls = 0
  const call = async () => {
    calls += 1
    return { keys: [publicJwk], paths: {}, components: {}, failures: {} }
  }
  const again = ask({ call } as unknown as Client, () => clock().getTime())
  const counts: number[] = []
  await again()
  for (const ms of [0, -24 * 60 * 60_000]) {
    const before = calls
    clock.advance(ms)
    await again()
    counts.push(calls - before)
  }
  return counts
}

const instances = (client: Client) => () => [{ address: 'http://127.0.0.1:1', client }]

test.each<[string, Parameters<typeof asked>[0]]>([
  [
    'the document of a service',
    (client, now) => {
      const documents = createDocuments(client, now)
      return () => documents.of('quote')
    },
  ],
  ['the health of all', (client, now) => createHealthOverview(instances(client), now)],
  [
    'the operations of all',
    (client, now) => createPlatformOperations(instances(client), () => client.call(getOperations('gateway')), now),
  ],
  [
    'the answer that a key is unknown',
    (client, now) => {
      const keys = createPublicKeys(client, now)
      return () => keys.find('b')
    },
  ],
])('%s is asked for again', async (_, ask) => {
  const [atOnce, afterwards = 0] = await asked(ask)
  expect([atOnce, afterwards > 0]).toEqual([0, true])
})
