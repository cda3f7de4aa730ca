import type { Envelope } from '@bursar/contracts/event'
import type { PaymentParty, PaymentRecord } from '@bursar/contracts/transaction-manager'
import type { TestMainApi } from './harness'

export const epoch = 1_000
let version = 0
const start = Date.UTC(2026, 10, 20)

/** A party of a payment at a custodian bank. */
export const party = (
  custodianBankId: string,
  { participantId = Bun.randomUUIDv7(), participantName = 'Harbour Bank' }: Partial<PaymentParty> = {},
): PaymentParty => ({ participantId, participantName, participantBankId: Bun.randomUUIDv7(), custodianBankId })

/** A payment as the transaction manager describes it: a deposit of 100 USD by default, one second after the last. */
export function payment(fields: Partial<PaymentRecord> = {}): PaymentRecord {
  const at = new Date(start + ++version * 1000).toISOString()
  return {
    id: Bun.randomUUIDv7(),
    type: 'DEPOSIT',
    status: 'COMPLETED',
    amount: '100',
    currency: 'USD',
    from: null,
    to: null,
    reference: `R-${version}`,
    description: null,
    transactionHash: null,
    createdAt: at,
    updatedAt: at,
    ...fields,
  }
}

/** The event about a state of a payment. */
export const paymentEvent = (
  record: PaymentRecord,
  mark: { version?: number; epoch?: number; id?: string | undefined } = {},
): Envelope => {
  const name = `transaction-manager.payment.${record.status === 'PENDING' ? 'created' : 'moved'}`
  return {
    id: mark.id ?? Bun.randomUUIDv7(),
    name,
    type: name,
    timestamp: record.updatedAt,
    requestId: null,
    service: 'transaction-manager',
    data: {
      v: 1,
      ...record,
      previous: null,
      comment: null,
      epoch: mark.epoch ?? epoch,
      version: mark.version ?? ++version,
    },
  }
}

/** Hands payments over as events, in order; answers them. */
export async function announce<R extends PaymentRecord[]>(service: TestMainApi, ...records: R): Promise<R> {
  for (const record of records) await service.consume(paymentEvent(record))
  return records
}

/** The same for many payments at a time, each announced once: their events share commits. */
export async function announceTogether(service: TestMainApi, records: PaymentRecord[]): Promise<void> {
  await Promise.all(records.map((record) => service.consume(paymentEvent(record))))
}
