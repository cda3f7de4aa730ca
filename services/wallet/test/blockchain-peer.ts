import type { NewSend, SendState, SignedBefore } from '@bursar/contracts/blockchain'
import type { Peers } from './peers'
import { refusal } from './refusal'

/** What the blockchain service answers, as its contract says. */
export async function blockchainAnswer(peers: Peers, request: Request, path: string): Promise<Response> {
  if (path === '/internal/networks') return Response.json(peers.networks)
  if (path === '/internal/sends') return startSend(peers, (await request.json()) as NewSend)
  if (path === '/internal/sends/changes') return Response.json({ epoch: peers.epoch, items: [], more: false })
  if (path === '/internal/addresses') return await watch(peers, request)
  if (path === '/internal/signatures/fates') return await fates(peers, request)
  if (path === '/internal/transfers/known') return await knownTransfers(peers, request)
  const [, , hash = ''] = /^\/internal\/transactions\/([^/]+)\/([^/]+)\/parties$/.exec(path) ?? []
  if (hash) return parties(peers, path.split('/')[3] ?? '', hash)
  const [, network = '', address = ''] = /^\/internal\/addresses\/([^/]+)\/([^/]+)\/holdings$/.exec(path) ?? []
  if (network) return Response.json(heldAt(peers, network, address))
  const send = peers.sends.get(path.split('/').at(-1) ?? '')
  return send ? Response.json(send.state) : refusal(404)
}

function heldAt(peers: Peers, network: string, address: string) {
  const held = peers.holdings.get(`${network} ${address}`) ?? {}
  return Object.entries(held).map(([contract, amount]) => ({
    contractAddress: contract === 'native' ? null : contract,
    amount,
    decimals: 6,
  }))
}

async function watch(peers: Peers, request: Request) {
  const body = (await request.json()) as Peers['watched'][number]
  if (peers.refusedNetworks.has(body.network)) return refusal(400, `There is no network ${body.network} here`)
  peers.watched.push(body)
  return Response.json(body)
}

function startSend(peers: Peers, order: NewSend): Response {
  const known = peers.sends.get(order.id)
  if (known) return Response.json(known.state)
  const state: SendState = { id: order.id, status: 'accepted', txHash: null, reason: null }
  peers.sends.set(order.id, { order, state })
  return Response.json(state)
}

async function fates(peers: Peers, request: Request): Promise<Response> {
  const { items } = (await request.json()) as { items: SignedBefore[] }
  peers.fatesAsked.push(...items)
  const answer = ({ txHash }: SignedBefore) => {
    const fate = peers.fates.get(txHash)
    if (fate === null) return null
    return { txHash, fate: fate ?? 'open', reason: fate === 'reverted' ? 'execution reverted: paused' : null }
  }
  return Response.json({ items: items.map(answer) })
}

async function knownTransfers(peers: Peers, request: Request): Promise<Response> {
  const { items } = (await request.json()) as { items: { txHash: string }[] }
  const of = (txHash: string) => {
    const known = peers.transactions.get(txHash)
    return known ? known.transfers : []
  }
  return Response.json({ items: items.map(({ txHash }) => of(txHash)) })
}

function parties(peers: Peers, network: string, txHash: string): Response {
  const known = peers.transactions.get(txHash)
  return known ? Response.json({ network, txHash, from: known.from, to: known.to }) : refusal(404)
}
