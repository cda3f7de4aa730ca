// Institutions with an object of each kind that the table of routes and roles knows.
import { exampleAddress, exampleToken } from '@bursar/contracts/examples'
import type { TestPlatform } from '@bursar/testing/platform'
import type { OwnedKind } from '../../services/gateway/src/access/rules'
import type { ThroughGateway } from './through-gateway'

export type Objects = Record<OwnedKind, string>

/** An institution that is approved, with an account at a custodian bank. */
export async function institutionAt(platform: TestPlatform, custodianBankId: string, name: string) {
  const main = platform.to('main-api')
  const { id } = await main.create<{ id: string }>('/participants', {
    name,
    email: `${name.toLowerCase()}@role.example`,
    country: 'US',
    businessType: 'BANK',
    registrationNumber: `US-${name}`,
    address: { street: '1 Pier', city: 'Boston', zipCode: '02101', country: 'US' },
  })
  for (const status of ['UNDER_REVIEW', 'APPROVED']) await main.put(`/admin/pfi/${id}/status`, { status })
  await platform.settle()
  const account = {
    accountNumber: `${10_000_000 + Number.parseInt(id.slice(-6), 16)}`,
    routingNumber: '021000021',
    accountType: 'CHECKING',
    currency: 'USD',
  }
  const bankAccount = await main.create<{ id: string }>(`/participants/${id}/accounts`, { ...account, custodianBankId })
  const key = `sk_test_${name.toLowerCase()}`
  await platform.to('participant').patch(`/participants/${id}`, { authConsumerId: key })
  return { id, key, bankAccount: bankAccount.id }
}

/** One object of each kind that belongs to an institution; its payments come with `pay`. */
export async function objectsOf(
  { platform, ids }: ThroughGateway,
  { id, bankAccount }: { id: string; bankAccount: string },
  custodianBank: string,
): Promise<Objects> {
  const customerExternalId = `customer-${id}`
  const customers = [
    {
      externalId: customerExternalId,
      status: 'active',
      accounts: [{ type: 'STABLECOINS', status: 'active', name: 'Main' }],
    },
  ]
  const { body } = await platform.to('participant').patch(`/participants/${id}`, { customers })
  const [customer] = body.customers
  const account = customer.accounts[0].id
  const deposit = await platform.to('core-ledger').create<{ id: string }>('/transactions/deposit', {
    accountId: account,
    network: exampleToken.network,
    assetId: ids.asset,
    amount: '5',
    sourceAddress: exampleAddress,
    txHash: `0x${new Bun.CryptoHasher('sha256').update(id).digest('hex')}`,
  })
  const message = await platform
    .to('message')
    .create<{ id: string }>('/messages', { type: 'TEXT', participantId: id, data: { text: 'Good day' } })
  return {
    participant: id,
    customer: customer.id,
    customerExternalId,
    account,
    transaction: deposit.id,
    message: message.id,
    payment: '',
    paymentOfPayer: '',
    paymentReference: '',
    bankAccount,
    custodianBank,
    participantAtBank: id,
  }
}

/** Payments of the one, which the other has no part in; and one from the other to it, which it may read, not cancel. */
export async function pay(platform: TestPlatform, own: Objects, foreign: Objects): Promise<void> {
  const payments = platform.to('transaction-manager')
  const money = { amount: '1.00', currency: 'USD' }
  const transfer = async (from: Objects, to: Objects) => {
    const parties = { fromParticipantBankId: from.bankAccount, toParticipantBankId: to.bankAccount }
    return (await payments.create<{ data: { id: string } }>('/transfer', { ...money, ...parties })).data.id
  }
  const deposit = async ({ bankAccount }: Objects) =>
    (
      await payments.create<{ data: { id: string; reference: string } }>('/deposit', {
        ...money,
        participantBankId: bankAccount,
      })
    ).data
  own.paymentOfPayer = await transfer(own, foreign)
  foreign.paymentOfPayer = await transfer(foreign, own)
  own.payment = foreign.paymentOfPayer
  own.paymentReference = (await deposit(own)).reference
  const { id, reference } = await deposit(foreign)
  Object.assign(foreign, { payment: id, paymentReference: reference })
}
