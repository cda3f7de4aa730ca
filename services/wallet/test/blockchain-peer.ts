import type { NewSend, SendState } from '@bursar/contracts/blockchain'
import type { Peers } from './peers'
import { refusal } from './refusal'

/** What the blockchain service answers, as its contract says. */
export async function blockchainAnswer(peers: Peers, request: Request, path: string): Promise<Response> {
  if (path === '/internal/networks') return Response.json(peers.networks)
  if (path === '/internal/sends') return startSend(peers, (await request.json()) as NewSend)
  if (path === '/internal/addresses') return await watch(peers, request)
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
