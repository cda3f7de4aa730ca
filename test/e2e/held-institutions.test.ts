// An institution that is paused or offboarded, and its coins: main API, participant service, ledger, wallet and blockchain
// service as they run, on the simulated Polygon.
import { afterAll, beforeAll, expect } from 'bun:test'
import { inOrder, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { type OnChainMoney, onChainMoney } from './on-chain-money'

let platform: TestPlatform
let money: OnChainMoney
beforeAll(async () => {
  platform = await testPlatform([
    'main-api',
    'participant',
    'customer',
    'account',
    'core-ledger',
    'wallet',
    'blockchain',
  ])
  money = onChainMoney(platform)
  await money.newAsset(coin)
})
afterAll(() => platform.close())

const coin = { network: 'polygon', code: 'POL', decimals: 18, contract: null }
const stranger = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
const institution = {
  name: 'Lakeside Payments',
  email: 'treasury@lakeside.example',
  country: 'US',
  businessType: 'BANK',
  registrationNumber: '84-2113907',
  address: { street: '1 Shore Drive', city: 'Chicago', state: 'IL', zipCode: '60601', country: 'US' },
}

inOrder('coins of an institution', (step) => {
  let id = ''
  let accountId = ''
  let address = ''

  const setStatus = async (status: string) => {
    const answer = await platform.to('main-api').put(`/admin/pfi/${id}/status`, { status, comments: 'Reviewed' })
    expect(answer.status).toBe(200)
  }
  /** More than it has: nothing comes of it in any case. */
  const orderTooMuch = () =>
    platform.to('core-ledger').post('/transactions/withdrawal', {
      accountId,
      network: coin.network,
      assetId,
      amount: '1000000',
      destinationAddress: stranger,
    })
  let assetId = ''
  /** Until the ledger refuses the institution’s withdrawals for that. */
  const held = (state: string) =>
    until(
      async () => {
        const { status, body } = await orderTooMuch()
        return status === 400 && [body.message].flat().join().includes(`is ${state};`)
      },
      { what: `the ledger to know that it is ${state}` },
    )
  const orderOf = async (withdrawal: string) =>
    (await platform.to('wallet').get(`/wallets/withdrawals/${withdrawal}`)).body
  /** An order that the wallet service has accepted and that nobody can sign yet, for the blockchain service is away. */
  const accepted = async (amount: string) => {
    await platform.stop('blockchain')
    const withdrawal = await money.withdraw(accountId, coin, amount, stranger)
    await until(async () => (await orderOf(withdrawal)).status === 'accepted', { what: 'the order' })
    return withdrawal
  }

  step('come in while it is active', async () => {
    id = (await platform.to('main-api').create('/participants', institution)).id
    await setStatus('APPROVED')
    await until(async () => (await platform.to('participant').get(`/participants/${id}`)).status === 200, {
      what: 'the participant',
    })
    const account = { type: 'STABLECOINS', status: 'active', name: 'Main' }
    const customers = [{ externalId: 'lakeside-1', status: 'active', accounts: [account] }]
    const changed = await platform.to('participant').ask('PATCH', `/participants/${id}`, { customers })
    expect(changed.status).toBe(200)
    accountId = changed.body.customers[0].accounts[0].id
    assetId = (await platform.to('core-ledger').get('/assets')).body[0].id
    await until(async () => (await platform.to('core-ledger').get(`/balances/account/${accountId}`)).status === 200)
    address = await money.walletOf(accountId, coin.network)
    await platform.to('blockchain').create('/simulated/polygon/deposits', { address, asset: 'POL', amount: '10' })
    await money.credited(accountId)
    expect(await money.heldAt(address, coin)).toBe('10')
  })

  step('are not signed away while it is paused, although ledger and wallet had the order before', async () => {
    const [before, later] = [await accepted('2.5'), await money.order(accountId, coin, '1', stranger)]
    await setStatus('PAUSED')
    await held('PAUSED')
    await money.screen(later)
    await platform.start('blockchain')
    await until(async () => (await orderOf(before)).waitsFor?.includes('is PAUSED'), {
      what: 'the wallet service to be refused',
    })
    expect(await orderOf(before)).toMatchObject({ status: 'accepted', txHash: null })
    expect((await money.transactionOf(before)).status).toBe('APPROVED')
    expect((await platform.to('wallet').get(`/wallets/withdrawals/${later}`)).status).toBe(404)
    expect(await money.heldAt(address, coin)).toBe('10')
    // Deposits come in all the same, and wait.
    await platform.to('blockchain').create('/simulated/polygon/deposits', { address, asset: 'POL', amount: '3' })
    const deposit = await until(
      async () => {
        const { body } = await platform.to('core-ledger').get(`/transactions?accountId=${accountId}&status=PENDING`)
        return body.find(({ type }: { type: string }) => type === 'DEPOSIT')
      },
      { what: 'the deposit' },
    )
    await money.screen(deposit.id)
    await until(
      async () => {
        const { phases } = (await platform.to('core-ledger', '').get(`/api/v1/core/transactions/${deposit.id}`)).body
        return phases.some(({ detail }: { detail: string | null }) => detail?.includes('is PAUSED'))
      },
      { what: 'the deposit to wait' },
    )
    expect(await money.balanceOf(accountId, coin)).toEqual(['6.5', '3.5', '10'])
    await setStatus('APPROVED')
    for (const each of [before, later, deposit.id]) await money.reached(each, 'COMPLETED')
    expect(await money.balanceOf(accountId, coin)).toEqual(['9.5', '0', '9.5'])
    expect(await money.heldAt(address, coin)).toBe('9.5')
  })

  step('wait for an operator once it is offboarded, also after restarts; failed, they are free and stay', async () => {
    const withdrawal = await accepted('4')
    await platform.stop('core-ledger')
    await setStatus('OFFBOARDED')
    await platform.start('core-ledger')
    await held('OFFBOARDED')
    await platform.stop('wallet')
    await platform.start('wallet')
    await platform.start('blockchain')
    await until(async () => (await orderOf(withdrawal)).waitsFor?.includes('an operator fails it'), {
      what: 'the wallet service to be refused',
    })
    const isTold = async () => {
      const { waiting = [] } = (await platform.to('core-ledger').get('/health')).body
      return waiting.join().includes(`POST /transactions/${withdrawal}/fail`)
    }
    await until(isTold, { what: 'the ledger’s health to name it' })
    const failed = await platform.to('core-ledger').post(`/transactions/${withdrawal}/fail`, { reason: 'Offboarded' })
    expect(failed.status).toBe(200)
    expect(await money.balanceOf(accountId, coin)).toEqual(['9.5', '0', '9.5'])
    expect(await orderOf(withdrawal)).toMatchObject({ status: 'failed', txHash: null })
    expect(await money.heldAt(address, coin)).toBe('9.5')
  })
})
