import type { ChangeMark } from '@bursar/contracts/replica'
import { type WalletWithdrawal, WithdrawalChanged, type WithdrawalState } from '@bursar/contracts/wallet'
import { answerBatch, type Handler, type LocalServer, localServer } from '@bursar/testing'

/**
 * What the wallet does about one request. The first four are the state that it records and answers. `refused` is a 422
 * and `down` a 503, and nothing is recorded; `lost` is a 500, `garbage` no JSON and `silent` no answer at all, although
 * it has accepted the withdrawal.
 */
export type Step = WithdrawalState['status'] | 'refused' | 'down' | 'lost' | 'silent' | 'garbage'

export interface FakeWallet {
  server: LocalServer
  /** What the server does about a request. */
  handle: Handler
  /** Every withdrawal that it accepted, once each time. */
  broadcasts: string[]
  /** The bodies of POST /internal/withdrawals, oldest first. */
  started: WalletWithdrawal[]
  /** What is done about a withdrawal's requests, one step each; the last one stays. */
  script(id: string, ...steps: Step[]): void
  /** The same for all that have no script of their own. */
  otherwise(...steps: Step[]): void
  requestsFor(id: string): number
  /** Answers all requests about a withdrawal so, from now on, and records nothing. */
  intercept(id: string, answer: () => Response | Promise<Response>): void
  /** Those of the deployment, and whether it does not say which they are. */
  addresses: Addresses
  /** Its record of a withdrawal, which a test may also set. */
  records: Map<string, WithdrawalState>
}

interface Addresses {
  own: Set<string>
  isLost: boolean
}

export const hashOf = (id: string): string => `0x${id.replaceAll('-', '').padStart(64, '0')}`

export const failedOnChain = 'The chain refused it: out of gas'

/** A wallet service that honours its contract: one record per id, of which nothing that failed is ever paid. */
export function fakeWallet(): FakeWallet {
  const scripts = new Map<string, Step[]>()
  const asked = new Map<string, number>()
  const records = new Map<string, WithdrawalState>()
  const intercepts = new Map<string, () => Response | Promise<Response>>()
  const addresses: Addresses = { own: new Set(), isLost: false }
  const broadcasts: string[] = []
  const started: WalletWithdrawal[] = []
  let others: Step[] = ['confirmed']

  function nextStep(id: string): Step {
    const count = asked.get(id) ?? 0
    asked.set(id, count + 1)
    const steps = scripts.get(id) ?? others
    return steps[Math.min(count, steps.length - 1)] ?? 'confirmed'
  }

  function record(id: string, status: WithdrawalState['status'], reason = failedOnChain): WithdrawalState {
    const known = records.get(id)
    if (known?.status === 'failed' || known?.status === 'confirmed') return known
    const isSent = status === 'broadcast' || status === 'confirmed'
    const state = { id, status, txHash: isSent ? hashOf(id) : null, reason: status === 'failed' ? reason : null }
    records.set(id, state)
    if (!known && status !== 'failed') broadcasts.push(id)
    return state
  }

  function answer(id: string, step: Step): Response | Promise<Response> {
    switch (step) {
      case 'refused':
        return refusal(422, 'UNPROCESSABLE', 'The address is on no chain of ours')
      case 'down':
        return refusal(503, 'SERVICE_UNAVAILABLE', 'Not now')
      case 'lost':
        record(id, 'accepted')
        return refusal(500, 'INTERNAL_ERROR', 'Internal server error')
      case 'silent':
        record(id, 'accepted')
        return new Promise<never>(() => {})
      case 'garbage':
        record(id, 'accepted')
        return new Response('<html>')
      default:
        return Response.json(record(id, step))
    }
  }

  const handle: Handler = async (request) => {
    const [, , what, inPath, action] = new URL(request.url).pathname.split('/')
    if (what === 'addresses') return lookUp(addresses, action ?? '')
    if (inPath === 'batch') {
      return await answerBatch(request, (body) => ({ method: 'POST', path: '/internal/withdrawals', body }), handle)
    }
    if (inPath === 'records') {
      return await answerBatch(request, (id) => ({ method: 'GET', path: `/internal/withdrawals/${id}` }), handle)
    }
    if (inPath === undefined) {
      const withdrawal = (await request.json()) as WalletWithdrawal
      started.push(withdrawal)
      return (await intercepts.get(withdrawal.id)?.()) ?? answer(withdrawal.id, nextStep(withdrawal.id))
    }
    const intercept = intercepts.get(inPath)
    if (intercept) return await intercept()
    if (action === 'refuse') {
      const { reason } = (await request.json()) as { reason: string }
      return Response.json(records.get(inPath) ?? record(inPath, 'failed', reason))
    }
    if (!records.has(inPath)) return refusal(404, 'NOT_FOUND', 'Withdrawal not found')
    return answer(inPath, nextStep(inPath))
  }
  const server = localServer(handle)
  return {
    server,
    handle,
    addresses,
    broadcasts,
    started,
    records,
    intercept: (id, answer) => void intercepts.set(id, answer),
    script: (id, ...steps) => void scripts.set(id, steps),
    otherwise: (...steps) => {
      others = steps
    },
    requestsFor: (id) => asked.get(id) ?? 0,
  }
}

const lookUp = ({ own, isLost }: Addresses, address: string): Response =>
  isLost
    ? refusal(503, 'SERVICE_UNAVAILABLE', 'Not now')
    : Response.json({ isOwn: own.has(decodeURIComponent(address)) })

const refusal = (status: number, code: string, message: string) =>
  Response.json({ error: { code, message } }, { status })

let versions = 0
/** The wallet service's event; of a newer state than those before, unless it says which. */
export const changed = ({ epoch = 1, version = ++versions, ...data }: WithdrawalState & Partial<ChangeMark>) => ({
  id: Bun.randomUUIDv7(),
  name: WithdrawalChanged.name,
  type: WithdrawalChanged.type,
  timestamp: new Date().toISOString(),
  requestId: null,
  service: 'wallet',
  data: { ...data, epoch, version },
})
