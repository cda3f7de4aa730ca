import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useAssets } from '../../api/names'
import { reread } from '../../api/query'
import { useRead } from '../../api/read'
import { core, dataOf, main, payments } from '../../api/services'
import { Act, type ActInput } from '../../ui/act'
import { AmountField, Choice, Field } from '../../ui/field'
import { Options } from '../../ui/options'
import { Loaded, Note } from '../../ui/states'
import { useOwnAccounts } from '../accounts/accounts-query'
import { useBankAccounts } from '../participants/institution-query'

const kinds = [
  ['withdrawal', 'Coins to an address'],
  ['transfer', 'Coins to another account of yours'],
  ['bank', 'Bank money to another institution'],
] as const
type Kind = (typeof kinds)[number][0]

/** Orders a payment out of the institution: coins of an account, or money of a bank account. */
export function NewPayment({ id, onClose }: { id: string; onClose(): void }) {
  const [kind, setKind] = useState<Kind>('withdrawal')
  const { route } = useLocation()
  return (
    <Act
      title="New payment"
      confirm="Order the payment"
      act={(input) => orders[kind](input)}
      done="The payment is ordered"
      onDone={(href) => {
        reread(['payments'], ['balances'], ['transactions'])
        route(href)
      }}
      onClose={onClose}
    >
      <Choice label="What is paid" value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
        <Options of={kinds} />
      </Choice>
      {kind === 'bank' ? <BankFields id={id} /> : <CoinFields kind={kind} />}
      <Field label="Reference (optional)" name="reference" maxLength={140} />
    </Act>
  )
}

function CoinFields({ kind }: { kind: 'withdrawal' | 'transfer' }) {
  const { data } = useOwnAccounts()
  const accounts = data?.filter(({ status }) => status === 'active') ?? []
  const [chosen, setChosen] = useState('')
  const from = chosen || accounts[0]?.id || ''
  if (data && accounts.length === 0) return <Note>Your institution has no active account yet.</Note>
  return (
    <>
      <Choice
        label="From the account"
        name="from"
        required
        value={from}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        <Options of={accounts} />
      </Choice>
      <Held key={from} accountId={from} />
      <AmountField label="Amount" name="amount" required />
      {kind === 'withdrawal' ? (
        <Field
          label="To the address"
          name="to"
          required
          maxLength={128}
          spellcheck={false}
          hint="Coins that were sent to a wrong address do not come back."
        />
      ) : (
        <Choice label="To the account" name="to" required>
          <Options of={accounts.filter(({ id }) => id !== from)} />
        </Choice>
      )}
    </>
  )
}

/** The assets of an account, each with what is available; its value names the network too. */
function Held({ accountId }: { accountId: string }) {
  const assets = useAssets()
  const balances = useRead(
    ['balances', 'account', accountId],
    (signal) => core.GET('/balances/account/{accountId}', { params: { path: { accountId } }, signal }),
    { enabled: accountId !== '' },
  )
  return (
    <Loaded of={balances} lines={1}>
      {(held) => (
        <Choice label="Asset" name="asset" required>
          {held.map(({ assetId, assetCode, availableBalance }) => {
            const network = assets.data?.get(assetId)?.blockchain ?? ''
            return (
              <option key={assetId} value={`${assetId} ${network}`}>
                {assetCode} on {network}: {availableBalance} available
              </option>
            )
          })}
        </Choice>
      )}
    </Loaded>
  )
}

function BankFields({ id }: { id: string }) {
  const accounts = useBankAccounts(id)
  const parties = useRead(['counter-parties'], (signal) => main.GET('/participants/counter-parties', { signal }))
  return (
    <>
      <Loaded of={accounts} lines={1}>
        {(found) =>
          found.length === 0 ? (
            <Note>Your institution has no bank account yet: its administrators add one under Your institution.</Note>
          ) : (
            <Choice label="From the bank account" name="from" required>
              {found.map(({ id, custodianBankName, accountNumber, currency }) => (
                <option key={id} value={`${id} ${currency}`}>
                  {currency}: {custodianBankName}, {accountNumber}
                </option>
              ))}
            </Choice>
          )
        }
      </Loaded>
      <AmountField label="Amount" name="amount" required />
      <Loaded of={parties} lines={1}>
        {({ data }) => (
          <Choice label="To the institution" name="to" required hint="Its account in this currency receives it.">
            {data.map(({ id, name, country }) => (
              <option key={id} value={id}>
                {name}, {country}
              </option>
            ))}
          </Choice>
        )}
      </Loaded>
    </>
  )
}
/** The two parts of a field's value. */
const pairIn = ({ text }: ActInput, name: string): [string, string] => {
  const [id = '', more = ''] = text(name).split(' ')
  return [id, more]
}

/** Each gives the page of the payment. */
const orders: Record<Kind, (input: ActInput) => Promise<string>> = {
  async withdrawal(input) {
    const { text, headers } = input
    const [assetId, network] = pairIn(input, 'asset')
    const coins = { accountId: text('from'), assetId, network, destinationAddress: text('to') }
    const body = { ...common(input), ...coins }
    const made = await dataOf(core.POST('/transactions/withdrawal', { body, headers }))
    return `/console/transactions/${made.id}`
  },
  async transfer(input) {
    const { text, headers } = input
    const [assetId] = pairIn(input, 'asset')
    const body = { ...common(input), fromAccountId: text('from'), toAccountId: text('to'), assetId }
    const made = await dataOf(core.POST('/transactions/transfer', { body, headers }))
    return `/console/transactions/${made.id}`
  },
  async bank(input) {
    const { text, headers } = input
    const [fromParticipantBankId, currency] = pairIn(input, 'from')
    const body = { ...common(input), currency, fromParticipantBankId, toParticipantBankId: text('to') }
    const { data } = await dataOf(payments.POST('/transfer', { body, headers }))
    return `/console/bank/${data.id}`
  },
}

function common({ text }: ActInput): { amount: string; reference?: string } {
  const reference = text('reference')
  return { amount: text('amount'), ...(reference ? { reference } : {}) }
}
