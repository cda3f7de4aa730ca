import { exampleInstitutionKey } from '@bursar/contracts/examples'
import { t } from '@bursar/contracts/schema'
import { forParticipant, operation, page, pageOf, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { creditLinesOf } from '../credit-lines/credit-lines'
import { CreditLines } from '../credit-lines/credit-lines.model'
import { creditLineFailures } from '../credit-lines/credit-lines.routes'
import { toCustodianBank } from '../custodian-banks/custodian-banks'
import { CustodianBank, PageQuery } from '../custodian-banks/custodian-banks.model'
import type { MainApiDeps } from '../deps'
import { toRecord } from '../participants/participants'
import { CounterParty } from '../participants/participants.model'
import { balancesOf } from '../payments/balances'
import { CustodianBalance } from '../payments/payments.model'
import { bankParticipantList, idsOfBankParticipants } from './bank-participants'
import { callingCustodian, custodianFailures } from './caller-custodian'

/** Spec 3, Main API: custodian module. All about the caller's custodian bank. */
export const custodianRoutes = (deps: MainApiDeps) =>
  new Elysia({ prefix: '/custodian-bank', tags: ['Custodian bank'] })
    .get(
      '/participants',
      async ({ request, query }) => {
        const { id } = await callingCustodian(deps, request)
        const { rows, total } = await deps.store.snapshot((db) =>
          bankParticipantList.numbered(db, { custodianBankId: id }, query),
        )
        return page(rows.map(toRecord), query, total)
      },
      {
        query: PageQuery,
        response: { 200: response(pageOf(CounterParty)) },
        detail: operation(
          'listCustodianParticipants',
          'List the participants with an account at the custodian bank, oldest first',
          {
            ...forParticipant(exampleInstitutionKey),
            ...custodianFailures,
          },
        ),
      },
    )
    .get(
      '/balance',
      async ({ request }) => {
        const { id } = await callingCustodian(deps, request)
        return await deps.store.snapshot((db) => balancesOf(db, id, deps.now()))
      },
      {
        response: { 200: response(t.Array(CustodianBalance)) },
        detail: operation('listCustodianBalances', 'List the custodian bank’s balances, by currency', {
          description:
            'Summed from payments: completed ones give the total, outgoing ones under way are frozen. ' +
            'Payments between two accounts at the bank do not count.',
          ...forParticipant(exampleInstitutionKey),
          ...custodianFailures,
        }),
      },
    )
    .get('/custodian-detail', async ({ request }) => toCustodianBank(await callingCustodian(deps, request)), {
      response: { 200: response(CustodianBank) },
      detail: operation('getCustodianDetail', 'Get the caller’s custodian bank', {
        ...forParticipant(exampleInstitutionKey),
        ...custodianFailures,
      }),
    })
    .get(
      '/credit-line',
      async ({ request }) => {
        const { id } = await callingCustodian(deps, request)
        return { data: await creditLinesOf(deps.client, await idsOfBankParticipants(deps.store.read, id)) }
      },
      {
        response: { 200: response(CreditLines) },
        detail: operation(
          'listCustodianCreditLines',
          'List the credit lines of the participants with an account at the custodian bank',
          {
            ...forParticipant(exampleInstitutionKey),
            ...creditLineFailures,
            ...custodianFailures,
          },
        ),
      },
    )
