import type { AnswerOf, BodyOf } from '@bursar/contracts/call'
import type { signTransaction } from '@bursar/contracts/signing'
import type { KnownOrder, SignedOrder, WalletWithdrawal } from '@bursar/contracts/wallet'
import { answerBatch, type Handler, type LocalServer, localServer } from '@bursar/testing'

type ToSign = BodyOf<typeof signTransaction>
type Signed = AnswerOf<typeof signTransaction>

/** Signs with the keys of a test. Throws a Response to answer that instead. */
export type Signer = (order: ToSign) => Promise<Signed> | Signed

export interface TestWallet {
  server: LocalServer
  /** What was asked to be signed, oldest first. */
  signed: ToSign[]
  /** The withdrawals that were ordered, oldest first. */
  withdrawals: WalletWithdrawal[]
  sign: Signer
  /** False: it knows no batch calls, as an older one does. */
  batches: boolean
  /** So many answers to batches are lost. */
  lostBatches: number
  /** Its record of an order. */
  record(id: string): Response
  /** The order of an execution, which is no withdrawal. */
  execution(id: string): KnownOrder | null
  /** The order that a transaction was signed for; a status to refuse with. */
  signedOrder(txHash: string): SignedOrder | null | number
  /** What is done about an ordered withdrawal: its answer. */
  withdraw(order: WalletWithdrawal): Response | Promise<Response>
}

/** Stands in for the wallet service: the same routes, with keys of the test. */
export function testWallet(sign: Signer = signSimulated): TestWallet {
  const wallet: TestWallet = {
    signed: [],
    withdrawals: [],
    sign,
    batches: true,
    lostBatches: 0,
    record: () => new Response(null, { status: 404 }),
    execution: () => null,
    signedOrder: () => null,
    withdraw: ({ id }) => Response.json({ id, status: 'accepted', txHash: null, reason: null }, { status: 201 }),
    server: localServer((request) => handle(request)),
  }
  const handle: Handler = async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/internal/sign-transactions' && wallet.batches) {
      const answer = await answerBatch(
        request,
        (body) => ({ method: 'POST', path: '/internal/sign-transaction', body }),
        handle,
      )
      return wallet.lostBatches-- > 0 ? new Response(null, { status: 502 }) : answer
    }
    if (request.method === 'GET' && pathname.startsWith('/internal/withdrawals/')) {
      return wallet.record(pathname.split('/').at(-1) ?? '')
    }
    const body = await request.json()
    if (pathname === '/internal/orders/known') {
      return Response.json({ items: (body as { items: string[] }).items.map((id) => wallet.execution(id)) })
    }
    if (pathname === '/internal/signatures/orders') {
      const found = (body as { items: { txHash: string }[] }).items.map(({ txHash }) => wallet.signedOrder(txHash))
      const status = found.find((each) => typeof each === 'number')
      if (status !== undefined) return new Response(null, { status })
      return Response.json({ items: found.map((order) => ({ order })) })
    }
    if (pathname === '/internal/withdrawals') {
      wallet.withdrawals.push(body as WalletWithdrawal)
      return await wallet.withdraw(body as WalletWithdrawal)
    }
    if (pathname !== '/internal/sign-transaction') return new Response(null, { status: 404 })
    wallet.signed.push(body as ToSign)
    try {
      return Response.json(await wallet.sign(body as ToSign))
    } catch (thrown) {
      if (thrown instanceof Response) return thrown
      throw thrown
    }
  }
  return wallet
}

/** A simulated transaction is signed by saying so. */
export const signSimulated: Signer = ({ unsigned }) => ({
  signed: JSON.stringify({ ...JSON.parse(unsigned), signature: 'test' }),
  txHash: 'the hash that the wallet service makes of it',
})

export const refusal = (status: number, message: string) => Response.json({ error: { code: 'X', message } }, { status })
