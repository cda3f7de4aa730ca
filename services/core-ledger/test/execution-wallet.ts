import type { WalletWithdrawal, WalletWithdrawalState } from '@bursar/contracts/wallet'
import { type LocalServer, localServer } from '@bursar/testing'

/**
 * What the wallet does about one request. `refused` is a 422 and nothing is begun; `down` a 503 and nothing is begun;
 * `lost` a 500 although it has begun; `silent` no answer at all although it has begun; the others are states.
 */
export type Step = WalletWithdrawalState['status'] | 'hashed' | 'refused' | 'down' | 'lost' | 'silent' | 'garbage'

export interface FakeWallet {
  server: LocalServer
  /** Every withdrawal that went to the chain, once each time. */
  broadcasts: string[]
  /** The bodies of POST /internal/withdrawals, oldest first. */
  started: WalletWithdrawal[]
  /** What is done about a withdrawal's requests, one step each; the last one stays. */
  script(id: string, ...steps: Step[]): void
  /** The same for all that have no script of their own. */
  otherwise(...steps: Step[]): void
  requestsFor(id: string): number
}

export const hashOf = (id: string): string => `0x${id.replaceAll('-', '').padStart(64, '0')}`

/** A wallet service that honours its contract: one withdrawal per id, however often it is begun. */
export function fakeWallet(): FakeWallet {
  const scripts = new Map<string, Step[]>()
  const asked = new Map<string, number>()
  const known = new Set<string>()
  const broadcasts: string[] = []
  const started: WalletWithdrawal[] = []
  let others: Step[] = ['confirmed']

  function nextStep(id: string): Step {
    const count = asked.get(id) ?? 0
    asked.set(id, count + 1)
    const steps = scripts.get(id) ?? others
    return steps[Math.min(count, steps.length - 1)] ?? 'confirmed'
  }

  function begin(id: string) {
    if (known.has(id)) return
    known.add(id)
    broadcasts.push(id)
  }

  const server = localServer(async (request) => {
    const { pathname } = new URL(request.url)
    const isStart = request.method === 'POST' && pathname === '/internal/withdrawals'
    const withdrawal = isStart ? ((await request.json()) as WalletWithdrawal) : undefined
    const id = withdrawal?.id ?? pathname.split('/').at(-1) ?? ''
    if (withdrawal) started.push(withdrawal)
    else if (!known.has(id)) return refusal(404, 'NOT_FOUND', 'Withdrawal not found')
    const step = nextStep(id)
    if (step === 'refused') return refusal(422, 'UNPROCESSABLE', 'The address is on no chain of ours')
    if (step === 'down') return refusal(503, 'SERVICE_UNAVAILABLE', 'Not now')
    if (step !== 'failed') begin(id)
    return answer(id, step)
  })
  return {
    server,
    broadcasts,
    started,
    script: (id, ...steps) => void scripts.set(id, steps),
    otherwise: (...steps) => {
      others = steps
    },
    requestsFor: (id) => asked.get(id) ?? 0,
  }
}

const refusal = (status: number, code: string, message: string) =>
  Response.json({ error: { code, message } }, { status })

function answer(id: string, step: Step): Response | Promise<Response> {
  if (step === 'lost') return refusal(500, 'INTERNAL_ERROR', 'Internal server error')
  if (step === 'silent') return new Promise<never>(() => {})
  if (step === 'garbage') return new Response('<html>')
  const status = step === 'hashed' ? 'pending' : step
  const txHash = step === 'confirmed' || step === 'hashed' || step === 'unknown' ? hashOf(id) : null
  return Response.json({ id, status, txHash, reason: step === 'failed' ? 'The chain refused it: out of gas' : null })
}
