import { BankAccountChanged, type BankAccountRecord, PfiChanged, type PfiRecord } from '@bursar/contracts/main-api'
import { ParticipantDeleted } from '@bursar/contracts/participant'
import type { CreditLimit } from '@bursar/contracts/transaction-manager'
import type { Deps } from '@bursar/http'
import { refusedAs, type TestService, type TestServiceOptions, testService } from '@bursar/testing/service'
import { definition } from '../src/service'

export { nobody, uuidExpected } from '@bursar/testing/service'

/** The real app with its own database, and the events of the main API. */
export interface TestTransactionManager extends TestService {
  /** Delivers a participant, APPROVED by default. */
  pfi(record?: Partial<PfiRecord>): Promise<PfiRecord>
  /** Delivers the deletion of a participant at the participant service. */
  deletePfi(id: string): Promise<void>
  /** Delivers an account of a participant, in USD by default. */
  bank(participantId: string, record?: Partial<BankAccountRecord>): Promise<BankAccountRecord>
  /** A participant with one account. */
  party(record?: Partial<PfiRecord>): Promise<{ pfi: PfiRecord; bank: BankAccountRecord }>
  /** Sets a credit line as the main API does. */
  creditLine(participantId: string, limit: CreditLimit): Promise<void>
  /** A credit line as the main API gets it; undefined for none. */
  lineOf(participantId: string): Promise<{ limit: string; used: string; available: string } | undefined>
}

type Options = Pick<TestServiceOptions<Deps>, 'client' | 'urls' | 'dataDir' | 'guard'>

export async function openService(options: Options = {}): Promise<TestTransactionManager> {
  const service = await testService({ ...options, name: 'transaction-manager', definition: definition() })
  let version = 0
  const say = (name: string, data: object) =>
    service.consume({
      id: Bun.randomUUIDv7(),
      name,
      type: name,
      timestamp: new Date().toISOString(),
      requestId: null,
      service: 'main-api',
      data: { ...data, epoch: 1, version: ++version },
    })
  const manager: TestTransactionManager = {
    ...service,
    async pfi(record) {
      const pfi: PfiRecord = {
        id: Bun.randomUUIDv7(),
        name: 'Lakeside Payments',
        country: 'US',
        status: 'APPROVED',
        ...record,
      }
      await say(PfiChanged.name, pfi)
      return pfi
    },
    async deletePfi(id) {
      const record = { institutionName: 'Lakeside Payments', omnibusAccountId: null, feePayerAccountId: null }
      await say(ParticipantDeleted.name, { v: 1, id, ...record, deletedAt: new Date().toISOString() })
    },
    async bank(participantId, record) {
      const bank: BankAccountRecord = {
        id: Bun.randomUUIDv7(),
        participantId,
        accountNumber: '000123456789',
        routingNumber: '021000021',
        currency: 'USD',
        custodianBankId: custodian,
        custodianBankName: 'Custody Bank',
        ...record,
      }
      await say(BankAccountChanged.name, bank)
      return bank
    },
    async party(record) {
      const pfi = await manager.pfi(record)
      return { pfi, bank: await manager.bank(pfi.id) }
    },
    async creditLine(participantId, limit) {
      const asMain = await service.asService('main-api')
      const { status, body } = await service.put(`/internal/credit-lines/${participantId}`, limit, asMain)
      if (status !== 200) throw new Error(`The credit line was refused: ${status} ${JSON.stringify(body)}`)
    },
    async lineOf(participantId) {
      const asMain = await service.asService('main-api')
      return (await service.get(`/internal/credit-lines?participantIds=${participantId}`, asMain)).body[0]
    },
  }
  return manager
}

const custodian = '01a1fe8f-0000-7000-8000-00000000c0de'

/** The error of a response; checks the rest of its body (spec 3, Errors). */
export const refused = refusedAs('object')
