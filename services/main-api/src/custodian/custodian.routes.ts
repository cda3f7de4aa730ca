import { t } from '@bursar/contracts/schema'
import { operation, page, pageOf, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { creditLinesOf } from '../credit-lines/credit-lines'
import { CreditLines } from '../credit-lines/credit-lines.model'
import { creditLineFailures } from '../credit-lines/credit-lines.routes'
import { toCustodianBank } from '../custodian-banks/custodian-banks'
import { CustodianBank, PageQuery } from '../custodian-banks/custodian-banks.model'
import type { MainApiDeps } from '../deps'
import { fail } from '../errors'
import { toRecord } from '../participants/participants'
import { CounterParty } from '../participants/participants.model'
import { balancesOf } from '../payments/balances'
import { listBankPayments } from '../payments/list-payments'
import { findBankPayment } from '../payments/payments'
import {
  ByTransactionId,
  CustodianBalance,
  CustodianTransaction,
  CustodianTransactionPage,
  PaymentQuery,
  toCustodianTransaction,
} from '../payments/payments.model'
import { bankParticipantList, idsOfBankParticipants } from './bank-participants'
import { callingCustodian, custodianFailures, forCustodian } from './caller-custodian'

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
          forCustodian,
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
          ...forCustodian,
        }),
      },
    )
    .get('/custodian-detail', async ({ request }) => toCustodianBank(await callingCustodian(deps, request)), {
      response: { 200: response(CustodianBank) },
      detail: operation('getCustodianDetail', 'Get the caller’s custodian bank', forCustodian),
    })
    .get(
      '/credit-line',
      async ({ request }) => {
        const { id } = await callingCustodian(deps, request)
        const rows = await idsOfBankParticipants(deps.store.read).execute({ custodianBankId: id })
        const ids = rows.map((row) => row.id)
        return { data: await creditLinesOf(deps.client, ids) }
      },
      {
        response: { 200: response(CreditLines) },
        detail: operation(
          'listCustodianCreditLines',
          'List the credit lines of the participants with an account at the custodian bank',
          { ...creditLineFailures, ...forCustodian },
        ),
      },
    )

/** Spec 3, Main API: custodian module. The payments from or to accounts at the caller's custodian bank. */
export const custodianTransactionRoutes = (deps: MainApiDeps) =>
  new Elysia({ prefix: '/custodian-bank/transactions', tags: ['Custodian bank'] })
    .get(
      '/',
      async ({ request, query }) => {
        const { id } = await callingCustodian(deps, request)
        const { rows, total } = await deps.store.snapshot((db) => listBankPayments(db, id, query))
        return page(rows.map(toCustodianTransaction), query, total)
      },
      {
        query: PaymentQuery,
        response: { 200: response(CustodianTransactionPage) },
        detail: operation('listCustodianTransactions', 'List the payments of the custodian bank', forCustodian),
      },
    )
    .get(
      '/:transactionId',
      async ({ request, params }) => {
        const { id } = await callingCustodian(deps, request)
        const payment = await findBankPayment(deps.store.read, id, params.transactionId)
        if (!payment) throw fail('NOT_FOUND', { message: 'Transaction not found' })
        return toCustodianTransaction(payment)
      },
      {
        params: ByTransactionId,
        response: { 200: response(CustodianTransaction) },
        detail: operation('getCustodianTransaction', 'Get a payment of the custodian bank', {
          ...custodianFailures,
          404: 'The caller has no custodian bank, or the payment does not involve the bank',
        }),
      },
    )
