import { customer } from '../../api/services'
import { useCan } from '../../api/session'
import { AllRecords, OwnRecords } from '../accounts/records'
import { customerColumns, staffCustomerColumns } from './customer-columns'

/** Customers: all for staff, only its own for users of an institution. */
export default function Customers() {
  return useCan('read') ? (
    <AllRecords
      thing="customer"
      columns={staffCustomerColumns}
      placeholder="External id or id"
      hint="External ids match by the beginning of any of their words."
      begin="Participants add theirs; the API creates them with POST /customers."
      read={(query, signal) => customer.GET('/customers', { params: { query }, signal })}
    />
  ) : (
    <OwnRecords
      thing="customer"
      columns={customerColumns}
      placeholder="External id or id"
      begin="Your programs create them: POST /customers of the API."
      rowsOf={(customers) => customers}
      textsOf={({ externalId }) => [externalId]}
    />
  )
}
