import { afterAll } from 'bun:test'
import { TransactionCreated, TransactionMoved, type TransactionState } from '@bursar/contracts/core-ledger'
import type { EventType } from '@bursar/contracts/event'
import { PaymentCreated, PaymentMoved, type PaymentState } from '@bursar/contracts/transaction-manager'
import { tempDir } from '@bursar/testing'
import { refusedAs, type TestService, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import type { NotificationDeps } from '../src/deps'
import { definition } from '../src/service'

export interface TestNotification extends TestService<NotificationDeps> {
  /** Delivers a payment's event as the bus does; the first one is its creation. Returns the payment's id. */
  payment(state?: Partial<PaymentState>): Promise<string>
  /** The same for a transaction of the core ledger. */
  transaction(state?: Partial<TransactionState>): Promise<string>
}

interface Options {
  env?: Record<string, string>
  now?: () => Date
  dataDir?: string
}

const open: TestNotification[] = []
afterAll(async () => {
  for (const service of open.splice(0)) await service.close()
})

/** The real app with its own database. Closed after the file's tests. */
export async function openService({ env = {}, now, dataDir = tempDir() }: Options = {}): Promise<TestNotification> {
  const settings = config({ DATA_DIR: dataDir, ...env })
  const service = await testService({ name: 'notification', dataDir, definition: definition(settings, { now }) })
  const recording = service.deps.recording.workers(service.store, { siblings: service.deps.siblings })
  const all: TestNotification = {
    ...service,
    async close() {
      await Promise.all(recording.map((worker) => worker.stop()))
      await service.close()
    },
    async payment(state = {}) {
      const data = paymentState(state)
      await service.consume(envelopeOf(data.previous === null ? PaymentCreated : PaymentMoved, data))
      return data.id
    },
    async transaction(state = {}) {
      const data = transactionState(state)
      await service.consume(envelopeOf(data.from === null ? TransactionCreated : TransactionMoved, data))
      return data.id
    },
  }
  open.push(all)
  return all
}

/** An event as the bus delivers it. */
export const envelopeOf = <D>({ name, type }: Pick<EventType, 'name' | 'type'>, data: D) => ({
  id: Bun.randomUUIDv7(),
  name,
  type,
  timestamp: '2026-01-31T12:00:00.000Z',
  requestId: null,
  service: 'transaction-manager',
  data,
})

/** Participants of the tests. */
export const payer = '018f2f3e-0000-7000-8000-0000000000aa'
export const receiver = '018f2f3e-0000-7000-8000-0000000000bb'

export const party = (participantId: string) => ({
  participantId,
  participantName: 'Harbour Bank',
  participantBankId: '018f2f3e-0000-7000-8000-0000000000c1',
  custodianBankId: '018f2f3e-0000-7000-8000-0000000000d1',
})

/** A transfer that was just created, from the payer to the receiver. */
export const paymentState = (state: Partial<PaymentState> = {}): PaymentState => ({
  v: 1,
  id: Bun.randomUUIDv7(),
  type: 'TRANSFER',
  status: 'PENDING',
  amount: '12.50',
  currency: 'USD',
  from: party(payer),
  to: party(receiver),
  reference: 'INV-204',
  description: null,
  transactionHash: null,
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
  previous: null,
  comment: null,
  epoch: 1,
  version: 1,
  ...state,
})

const transactionState = (state: Partial<TransactionState>): TransactionState => ({
  v: 1,
  id: Bun.randomUUIDv7(),
  type: 'WITHDRAWAL',
  from: 'PENDING',
  status: 'FROZEN',
  reason: null,
  amount: '0.000001',
  assetId: Bun.randomUUIDv7(),
  assetCode: 'USDC',
  assetDecimals: 6,
  network: 'polygon',
  customerId: '',
  accountId: Bun.randomUUIDv7(),
  toAccountId: null,
  sourceAddress: null,
  destinationAddress: null,
  txHash: null,
  reference: null,
  participantId: null,
  toParticipantId: null,
  phases: [],
  at: '2026-01-31T12:00:00.000Z',
  ...state,
})

/** The error of a response; checks the rest of its body (spec 3, Errors). */
export const refused = refusedAs('object')
