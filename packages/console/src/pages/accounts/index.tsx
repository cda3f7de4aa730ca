import { account } from '../../api/services'
import { useCan } from '../../api/session'
import { accountColumns, staffAccountColumns } from './account-columns'
import { accountTypes } from './accounts-query'
import { AllRecords, OwnRecords } from './records'

/** Accounts: all for staff, only its own for users of an institution. */
export default function Accounts() {
  return useCan('read') ? (
    <AllRecords
      thing="account"
      columns={staffAccountColumns}
      placeholder="Name, external id, address or id"
      more={[
        { kind: 'choice', name: 'type', label: 'Type', options: accountTypes },
        { kind: 'text', name: 'customerId', label: 'Customer’s id', isOnlySet: true },
      ]}
      hint="Names and external ids match by the beginning of any of their words."
      begin="Participants open them for their customers; the API opens them with POST /accounts."
      read={(query, signal) => account.GET('/accounts', { params: { query }, signal })}
    />
  ) : (
    <OwnRecords
      thing="account"
      columns={accountColumns}
      placeholder="Name, external id or id"
      begin="Your programs open them for your customers: POST /accounts of the API."
      rowsOf={(customers) => customers.flatMap(({ accounts }) => accounts)}
      textsOf={(row) => [row.name, row.customerName, row.customerExternalId, row.accountExternalId]}
    />
  )
}
