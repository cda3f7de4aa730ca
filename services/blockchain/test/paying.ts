import type { SendState } from '@bursar/contracts/blockchain'
import type { ParticipantState } from '@bursar/contracts/participant'
import { parseAmount } from '@bursar/money'
import { type LocalServer, localServer, until } from '@bursar/testing'
import type { Answer } from '@bursar/testing/service'
import { alice, bob, hot, type TestBlockchain, testBlockchain } from './harness'
import { type TestLedger, testLedger } from './ledger'
import { refusal } from './wallet'

export const participantId = '01a1fe8f-0000-7000-8000-0000000000a1'
/** A participant without an omnibus account. */
export const poorId = '01a1fe8f-0000-7000-8000-0000000000a2'
export const deletedId = '01a1fe8f-0000-7000-8000-0000000000a3'
export const omnibusAccountId = '01a1fe8f-0000-7000-8000-0000000000b1'
const keyHash = new Bun.CryptoHasher('sha256').update('sk_test_1').digest('hex')

/** The participant service, as its contract says. */
export const participants = (request: Request) => {
  const { pathname } = new URL(request.url)
  if (pathname === `/internal/participants/${participantId}`) return Response.json(participantState(participantId))
  if (pathname === `/internal/participants/${poorId}`) {
    return Response.json({ ...participantState(poorId), omnibusAccountId: null })
  }
  if (pathname === `/internal/participants/${deletedId}`) {
    return Response.json({ ...participantState(deletedId), deletedAt: '2026-01-01T00:00:00.000Z' })
  }
  if (pathname === `/internal/participants/by-key/${keyHash}`) {
    return Response.json({ id: participantId, omnibusAccountId, feePayerAccountId: null })
  }
  return refusal(404, 'none')
}

const participantState = (id: string): ParticipantState => ({
  id,
  institutionName: 'A bank',
  omnibusAccountId,
  feePayerAccountId: null,
  deletedAt: null,
  epoch: 1,
  version: 1,
})

export interface Paying {
  service: TestBlockchain
  participant: LocalServer
  ledger: TestLedger
  /** Headers of the participant. */
  as: Record<string, string>
  byReference(type: string, transactionId: string, headers?: Record<string, string>): Promise<Answer>
  /** Waits until the participant's transaction has this status. */
  reached(type: string, transactionId: string, status: string): Promise<Answer['body']>
  stop(): Promise<void>
}

/** The service with a participant, and a ledger that approves at once and has its withdrawals sent from a funded address. */
export async function startPaying(): Promise<Paying> {
  const participant = localServer(participants)
  const ledger = testLedger()
  const urls = { participant: participant.url, 'core-ledger': ledger.server.url }
  const service = await testBlockchain({ urls, env: { REDEMPTION_ADDRESSES: `polygon:${bob}` } })
  ledger.judge = () => ({ status: 'APPROVED', reason: null })
  ledger.refresh = (id) => carryOut(service, ledger, id)
  await service.payIn(hot, '1000', 'USDC')
  await service.payIn(hot, '1000', 'USDC', 'polygon')
  const as = await service.asParticipant(participantId)
  const byReference: Paying['byReference'] = (type, transactionId, headers = as) =>
    service.post(`/transactions/reference/${type}`, { transactionId }, headers)
  return {
    service,
    participant,
    ledger,
    as,
    byReference,
    reached: (type, transactionId, status) =>
      until(async () => {
        const { body } = await byReference(type, transactionId)
        return body.status === status && body
      }),
    async stop() {
      await service.stop()
      await participant.stop()
      await ledger.server.stop()
    },
  }
}

/** Has an approved withdrawal sent, and moves it as the send stands. */
async function carryOut(service: TestBlockchain, ledger: TestLedger, orderId: string): Promise<void> {
  const { order, state } = ledger.orders.get(orderId) ?? {}
  if (!order || state?.status !== 'APPROVED') return
  const { network, contractAddress, amount, destinationAddress: to } = order
  const decimals = contractAddress === null ? 18 : 6
  const units = parseAmount(amount, decimals).toString()
  const id = state.transactionId ?? ''
  const sent: SendState = await service.send({ id, network, from: hot, to, contractAddress, amount: units, decimals })
  if (sent.status === 'confirmed') ledger.move(orderId, 'COMPLETED')
  if (sent.status === 'failed') ledger.move(orderId, 'FAILED', sent.reason ?? undefined)
}

let names = 0

export const transfer = (fields: object = {}) => ({
  amount: '12.50',
  currency: 'USDC',
  destinationAddress: alice,
  transactionId: `t-${++names}`,
  ...fields,
})

export const withdraw = (fields: object = {}) => ({
  amount: '5',
  currency: 'USDC',
  iban: 'DE89 3704 0044 0532 0130 00',
  swift: 'cobadeff',
  transactionId: `w-${++names}`,
  ...fields,
})
