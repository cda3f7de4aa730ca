// Questions that are asked of a node together: each gets its own answer, or none.
import { afterEach, expect, test } from 'bun:test'
import { localServer } from '@bursar/testing'
import { pad, toHex } from 'viem'
import { getBalance } from 'viem/actions'
import { createNodeClients } from '../../src/networks/evm/node-client'
import type { NetworkSettings } from '../../src/networks/network'
import type { Question } from './lying-node'

interface Answer {
  jsonrpc: string
  id: unknown
  result?: unknown
  error?: { code: number; message: string }
}

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const addresses = [1, 2, 3].map((place) => pad(toHex(place), { size: 20 }))

/** A balance, or that the node says it is busy, or that there is no answer. */
type Found = bigint | 'busy' | 'none'

const busy = { code: -32_005, message: 'Too many requests' }

/** The balances of the three addresses, each of which is its own number, by a node that answers as is said. */
async function balances(told: (answers: Answer[]) => unknown): Promise<Found[]> {
  const node = localServer(async (request) => {
    const asked = (await request.json()) as Question[]
    const answers = asked.map(({ id, method, params }) => ({
      jsonrpc: '2.0',
      id,
      result: method === 'eth_chainId' ? '0x1' : params[0],
    }))
    return Response.json(answers.length === addresses.length ? told(answers) : answers)
  })
  ends.push(() => node.stop())
  const settings = {
    name: 'ethereum',
    identity: '1',
    rpcUrls: [node.url],
    timeoutMs: 60_000,
  } as unknown as NetworkSettings
  const { client } = createNodeClients(settings, { good: () => {}, bad: () => {}, lacks: () => {}, of: () => null })
  const ask = () => Promise.allSettled(addresses.map((address) => getBalance(client, { address })))
  // Which chain it is of is asked first.
  await getBalance(client, { address: pad('0x1', { size: 20 }) })
  return (await ask()).map((each) =>
    each.status === 'fulfilled' ? each.value : `${each.reason}`.includes(busy.message) ? 'busy' : 'none',
  )
}

const withLast = (answers: Answer[], last: object) => [...answers.slice(0, -1), { jsonrpc: '2.0', ...last }]

test.each<[string, (answers: Answer[]) => unknown, Found[]]>([
  ['in another order', (answers) => answers.toReversed(), [1n, 2n, 3n]],
  ['with an error', (answers) => withLast(answers, { id: answers[2]?.id, error: busy }), [1n, 2n, 'busy']],
  ['with an error of no question', (answers) => withLast(answers, { id: null, error: busy }), [1n, 2n, 'none']],
  ['with one answer less', (answers) => answers.slice(1), ['none', 'none', 'none']],
  ['with an answer to nothing in the place of one', (answers) => [null, ...answers.slice(1)], ['none', 2n, 3n]],
  ['with two answers to one question', (answers) => [...answers, { ...answers[0], result: '0x9' }], ['none', 2n, 3n]],
  [
    'with one answered twice, and another one not',
    (answers) => [answers[0], answers[0], answers[2]],
    ['none', 'none', 3n],
  ],
  [
    'for other questions',
    (answers) => answers.map((each) => ({ ...each, id: Number(each.id) + 100 })),
    ['none', 'none', 'none'],
  ],
  ['with numbers as texts', (answers) => answers.map((each) => ({ ...each, id: String(each.id) })), [1n, 2n, 3n]],
  ['with one error for all', () => ({ jsonrpc: '2.0', id: null, error: busy }), ['busy', 'busy', 'busy']],
  ['with nothing', () => null, ['none', 'none', 'none']],
  [
    'of more than 10 MiB',
    (answers) => answers.map((each) => ({ ...each, also: 'x'.repeat(4 * 2 ** 20) })),
    [1n, 2n, 3n],
  ],
])('%s', async (_, told, expected) => {
  expect(await balances(told)).toEqual(expected)
})
