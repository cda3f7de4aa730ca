// Stands before the node, and lies as it is told: what a provider's broken replicas have been seen to answer.
import { localServer } from '@bursar/testing'

export const lies = ['no logs', 'head ahead', 'head behind', 'no receipts', 'errors', 'garbage'] as const
export type Lie = (typeof lies)[number]

interface Call {
  id: unknown
  method: string
}
interface Answer {
  id: unknown
  result?: unknown
}

export interface LyingNode {
  url: string
  lie(lie: Lie | null): void
  /** How many answers were lies. */
  told(): number
  stop(): Promise<void>
}

export function lyingNode(nodeUrl: string): LyingNode {
  let lie: Lie | null = null
  let told = 0
  const server = localServer(async (request) => {
    const body = await request.text()
    if (lie === 'errors' || lie === 'garbage') {
      told += 1
      return lie === 'errors' ? new Response('overloaded', { status: 503 }) : new Response('<html>')
    }
    const response = await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null)
    if (!response) return new Response('the node is away', { status: 502 })
    const calls = [JSON.parse(body)].flat() as Call[]
    const answers = [(await response.json()) as Answer | Answer[]].flat()
    const said = answers.map((answer) => {
      const method = calls.find(({ id }) => id === answer.id)?.method ?? ''
      const other = lie && answer.result !== undefined ? spoilt(lie, method, answer.result) : undefined
      if (other === undefined) return answer
      told += 1
      return { ...answer, result: other }
    })
    return Response.json(body.trimStart().startsWith('[') ? said : said[0])
  })
  return {
    url: server.url,
    lie(next) {
      lie = next
    },
    told: () => told,
    stop: () => server.stop(),
  }
}

/** What is answered instead; undefined where this lie says nothing of the method. */
function spoilt(lie: Lie, method: string, result: unknown): unknown {
  if (lie === 'no logs' && method === 'eth_getLogs') return []
  if (lie === 'no receipts' && method === 'eth_getTransactionReceipt') return null
  if (method !== 'eth_blockNumber') return undefined
  if (lie === 'head ahead') return `0x${(Number(result) + 20).toString(16)}`
  if (lie === 'head behind') return `0x${Math.max(0, Number(result) - 5).toString(16)}`
  return undefined
}
