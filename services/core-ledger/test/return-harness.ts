// What the tests of returns share: a ledger whose worker runs, deposits in suspense, and the ways out of it.
import type { Authorisation } from '@bursar/contracts/core-ledger'
import type { WithdrawalState } from '@bursar/contracts/wallet'
import { until } from '@bursar/testing'
import type { Account, RunningLedger } from './execution-harness'
import type { NewAccountOptions } from './harness'
import type { Tx } from './steps'

export const reason = 'The customer asked for it'

export function returning(running: RunningLedger) {
  const { ledger, wallet } = running
  const act = async (what: string, id: string, person: string | null, body: object, headers: object) =>
    ledger.ask<Tx & { message: string }>('POST', `/transactions/${id}/${what}`, body, {
      ...(person === null ? {} : await ledger.as({ kind: 'user', subject: person })),
      ...headers,
    })
  const it = {
    giveBack: (id: string, person: string | null = 'ann', body: object = { reason }, headers: object = {}) =>
      act('return', id, person, body, headers),
    release: (id: string, person: string | null = 'ann') => act('release', id, person, { reason }, {}),
    read: async (id: string) => (await ledger.ask<Tx>('GET', `/transactions/${id}`)).body,
    reject: (id: string, type: string) =>
      ledger.ask('POST', `/transactions/${id}/reject-frozen-${type}`, { reason: 'Unclear' }),
    /** A deposit that a reviewer has rejected. */
    async rejected(
      amount = '25',
      of: NewAccountOptions = {},
      asset = running.asset,
    ): Promise<{ id: string; account: Account }> {
      const account = await ledger.account(of)
      const id = await running.deposit(account, amount, asset)
      await running.screen(id, false)
      await it.reject(id, 'deposit')
      return { id, account }
    },
    /** The id of its return, of whose order the wallet service makes what is said here. */
    async ordered(id: string, ...state: WithdrawalState['status'][]): Promise<string> {
      const { status, body } = await it.giveBack(id)
      if (status !== 201) throw new Error(`return: ${status} ${JSON.stringify(body)}`)
      wallet.script(body.id, ...state)
      await running.screen(body.id, true)
      await until(() => wallet.records.has(body.id))
      return body.id
    },
    /** `kind from to` of each. */
    async entries(id: string): Promise<string[]> {
      type Row = { kind: string; from: { bucket: string }; to: { bucket: string } }
      const { body } = await ledger.ask<Row[]>('GET', `/transactions/${id}/entries`)
      return body.map(({ kind, from, to }) => `${kind} ${from.bucket} ${to.bucket}`)
    },
    async authorisation(id: string): Promise<Authorisation | null | undefined> {
      const body = { items: [id] }
      const as = await ledger.asService('wallet')
      return (await ledger.ask<{ items: (Authorisation | null)[] }>('POST', '/internal/authorisations', body, as)).body
        .items[0]
    },
  }
  return it
}
