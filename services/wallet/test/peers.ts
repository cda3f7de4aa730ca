import type { Account, AccountType } from '@bursar/contracts/account'
import type {
  KnownTransfer,
  Network,
  NewSend,
  SendState,
  SignatureFate,
  SignedBefore,
} from '@bursar/contracts/blockchain'
import type { Static } from '@bursar/contracts/schema'
import { answerBatch, type Handler, type LocalServer, localServer } from '@bursar/testing'
import { blockchainAnswer } from './blockchain-peer'
import { type LedgerPeer, ledgerAnswer, ledgerPeer } from './ledger-peer'
import { refusal } from './refusal'

type Peer = 'account' | 'blockchain' | 'participant' | 'core-ledger'

/** Stand-ins for all services that the wallet service calls, on one server, as their contracts say. */
export interface Peers {
  url: string
  server: LocalServer
  accounts: Map<string, { account: Account; participantId: string | null }>
  participants: Map<string, { routerData: Record<string, unknown> | null; accountIds: string[] }>
  /** Participant id by the SHA-256 of its API key. */
  keys: Map<string, string>
  assets: { code: string; blockchain: string; contractAddress: string | null; decimals: number }[]
  networks: Network[]
  /** `${network} ${address}` → contract (`native`) → smallest unit. */
  holdings: Map<string, Record<string, string>>
  sends: Map<string, { order: NewSend; state: SendState }>
  /** The run of the blockchain service. */
  epoch: number
  watched: { network: string; address: string; accountId: string; isPortfolio?: boolean }[]
  ledger: LedgerPeer
  /** By the transaction's hash; null: its network cannot be asked. `open` for those that are not here. */
  fates: Map<string, SignatureFate['fate'] | null>
  /** The signatures whose fate was asked for. */
  fatesAsked: SignedBefore[]
  /** Transactions that the chain knows, by their hash. */
  transactions: Map<string, { from: string[]; to: string[]; transfers: Static<typeof KnownTransfer>[] | null }>
  /** Networks that the blockchain service refuses. */
  refusedNetworks: Set<string>
  /** False: the blockchain service knows no batch calls, as an older one does. */
  batches: boolean
  /** So many answers to batches are lost once they have acted. */
  lostBatches: number
  /** Answers 503 for them. */
  away: Set<Peer>
  /** Comes before every answer; null ends it. */
  fault(fault: Fault | null): void
  /** Makes an account that the account service knows. */
  account(type?: AccountType, fields?: Partial<Account> & { participantId?: string | null }): string
  hold(network: string, address: string, held: Record<string, string>): void
  calls(method: string, path: string): number
}
type Fault = (request: Request, usual: () => Promise<Response>) => Response | Promise<Response> | undefined

const peerOf = (path: string): Peer => {
  if (path.startsWith('/internal/accounts')) return 'account'
  if (path.includes('/participants')) return 'participant'
  return path.startsWith('/v1/assets') || path.startsWith('/internal/authorisations') ? 'core-ledger' : 'blockchain'
}

export const usualNetworks = (): Network[] => [
  { name: 'ethereum', kind: 'evm', chainId: 1, nativeCode: 'ETH', nativeDecimals: 18 },
  { name: 'polygon', kind: 'simulated', chainId: 137, nativeCode: 'POL', nativeDecimals: 18 },
  { name: 'solana', kind: 'solana', chainId: null, nativeCode: 'SOL', nativeDecimals: 9 },
]

/** The blockchain service's batch calls, and the request that does the same for one item. */
const batches: [RegExp, (item: unknown, network: string) => { method: string; path: string; body?: unknown }][] = [
  [/^\/internal\/sends\/batch$/, (body) => ({ method: 'POST', path: '/internal/sends', body })],
  [/^\/internal\/sends\/states$/, (id) => ({ method: 'GET', path: `/internal/sends/${id}` })],
  [
    /^\/internal\/holdings\/(.+)$/,
    (address, network) => ({ method: 'GET', path: `/internal/addresses/${network}/${address}/holdings` }),
  ],
]

/** What comes in a batch counts as if it had come alone. */
async function withBatches(
  request: Request,
  peers: Peers,
  { requests }: LocalServer,
  handle: Handler,
): Promise<Response> {
  const { pathname } = new URL(request.url)
  for (const [pattern, alone] of peers.batches ? batches : []) {
    const [isBatch, network = ''] = pattern.exec(pathname) ?? []
    if (!isBatch) continue
    requests.splice(
      requests.findIndex(({ path }) => path === pathname),
      1,
    )
    const answer = await answerBatch(
      request,
      (item) => alone(item, network),
      (single) => {
        const { pathname: path } = new URL(single.url)
        requests.push({ method: single.method, path, headers: single.headers, body: '' })
        return handle(single)
      },
    )
    const isLost = pathname === '/internal/sends/batch' && peers.lostBatches-- > 0
    return isLost ? new Response('', { status: 502 }) : answer
  }
  return await handle(request)
}

export function startPeers(): Peers {
  let fault: Fault | null = null
  const peers = {
    accounts: new Map(),
    participants: new Map(),
    keys: new Map(),
    assets: [],
    networks: usualNetworks(),
    holdings: new Map(),
    sends: new Map(),
    epoch: 1,
    watched: [],
    ledger: ledgerPeer(),
    fates: new Map(),
    fatesAsked: [],
    transactions: new Map(),
    refusedNetworks: new Set(),
    batches: true,
    lostBatches: 0,
    away: new Set(),
  } as unknown as Peers

  function participant(path: string): Response {
    const id = decodeURIComponent(path.split('/').at(-1) ?? '')
    if (path.includes('/by-key/')) {
      const owner = peers.keys.get(id)
      return owner ? Response.json({ id: owner, omnibusAccountId: null, feePayerAccountId: null }) : refusal(404)
    }
    const found = peers.participants.get(id)
    if (!found) return refusal(404)
    const customers = [{ accounts: found.accountIds.map((accountId) => ({ id: accountId })) }]
    return Response.json({ id, omnibusAccountId: null, routerData: found.routerData, customers })
  }

  function accounts(path: string): Response {
    if (path.endsWith('/changes')) {
      const items = [...peers.accounts.values()].map((record, i) => ({ version: i + 1, record }))
      return Response.json({ epoch: 1, items, more: false })
    }
    const found = peers.accounts.get(path.split('/').at(-1) ?? '')
    return found ? Response.json({ ...found, epoch: 1, version: 1 }) : refusal(404)
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    const peer = peerOf(pathname)
    if (peers.away.has(peer)) return refusal(503, 'away')
    if (peer === 'account') return accounts(pathname)
    if (peer === 'participant') return participant(pathname)
    if (peer !== 'core-ledger') return await blockchainAnswer(peers, request, pathname)
    return pathname.startsWith('/v1/assets') ? Response.json(peers.assets) : ledgerAnswer(peers, request, pathname)
  }

  const server = localServer((request) => withBatches(request, peers, server, handle))
  const handle: Handler = async (request) => (await fault?.(request, () => answer(request))) ?? answer(request)
  return Object.assign(peers, {
    url: server.url,
    server,
    fault: (next: Fault | null) => {
      fault = next
    },
    account(
      type: AccountType = 'STABLECOINS',
      { participantId = null, ...fields }: Partial<Account> & { participantId?: string | null } = {},
    ) {
      const id = fields.id ?? Bun.randomUUIDv7()
      const rest = { customerId: null, customerExternalId: null, accountExternalId: null, customerName: null }
      const account: Account = {
        ...rest,
        id,
        walletAccountId: null,
        type,
        status: 'active',
        name: 'Main',
        createdAt: new Date().toISOString(),
        ...fields,
      }
      peers.accounts.set(id, { account, participantId })
      return id
    },
    hold(network: string, address: string, held: Record<string, string>) {
      peers.holdings.set(`${network} ${address}`, held)
    },
    calls: (method: string, path: string) =>
      server.requests.filter((each) => each.method === method && each.path.startsWith(path)).length,
  })
}
