import type { operations } from '#types/main-api'
import { wholeList } from '../../api/list'
import { useOrganisations } from '../../api/organisations'
import { reread } from '../../api/query'
import { dataOf, main } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { toWords } from '../../format/words'
import { Act } from '../../ui/act'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Choice, Field } from '../../ui/field'
import { Id } from '../../ui/id'
import { Options } from '../../ui/options'
import { Time } from '../../ui/time'
import { useBankAccounts } from './institution-query'

type BankAccount = operations['listBankAccounts']['responses'][200]['content']['application/json']['data'][number]

/** An institution's accounts at custodian banks. */
export function BankAccounts({ id }: { id: string }) {
  const isAdmin = useSession().user.roles.includes('participant-admin')
  const canAdd = useCan('operate') || isAdmin
  const accounts = useBankAccounts(id)
  return (
    <DataTable
      title="Bank accounts"
      aside={
        canAdd ? (
          <DialogButton isSmall icon="plus" dialog={(close) => <AddBankAccount id={id} onClose={close} />}>
            Add
          </DialogButton>
        ) : null
      }
      columns={columns}
      list={wholeList(accounts.data, accounts)}
      empty={
        <p class="card-line">It has none yet. Payments between banks go to and from an account at a custodian bank.</p>
      }
    />
  )
}

const columns: readonly Column<BankAccount>[] = [
  { head: 'Custodian bank', narrow: 'lead', cell: ({ custodianBankName }) => <b>{custodianBankName}</b> },
  { head: 'Account', narrow: 'sub', cell: ({ accountNumber }) => <Id value={accountNumber} isWhole /> },
  { head: 'Routing number', cell: ({ routingNumber }) => <code>{routingNumber}</code> },
  {
    head: 'Currency',
    narrow: 'end',
    cell: ({ currency, accountType }) => (
      <>
        <b>{currency}</b> <span class="none">{toWords(accountType)}</span>
      </>
    ),
  },
  { head: 'Added', narrow: 'hide', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

function AddBankAccount({ id, onClose }: { id: string; onClose(): void }) {
  const banks = useOrganisations('custodian')
  return (
    <Act
      title="Add a bank account"
      confirm="Add"
      act={({ text, headers }) => {
        const body = {
          custodianBankId: text('custodianBankId'),
          accountNumber: text('accountNumber'),
          routingNumber: text('routingNumber'),
          accountType: text('accountType'),
          currency: text('currency').toUpperCase(),
        }
        return dataOf(main.POST('/participants/{id}/accounts', { params: { path: { id } }, body, headers }))
      }}
      done={({ custodianBankName }) => `The account at ${custodianBankName} is added`}
      onDone={() => reread(['bank-accounts', id])}
      onClose={onClose}
    >
      <Choice label="Custodian bank" name="custodianBankId" required>
        <Options of={banks.data} />
      </Choice>
      <Field
        label="Account number"
        name="accountNumber"
        required
        maxLength={50}
        hint="An IBAN, or the bank’s own number"
      />
      <Field
        label="Routing number"
        name="routingNumber"
        required
        maxLength={50}
        hint="ABA in the United States; elsewhere a BIC or clearing code"
      />
      <div class="field-pair">
        <Field label="Type" name="accountType" required maxLength={50} defaultValue="CHECKING" />
        <Field label="Currency" name="currency" required maxLength={3} minLength={3} defaultValue="USD" />
      </div>
    </Act>
  )
}
