import { useCan } from '../../api/session'
import { AllCustomers } from './all-customers'
import { OwnCustomers } from './own-customers'

/** Customers: all for staff, only its own for users of an institution. */
export default function Customers() {
  return useCan('read') ? <AllCustomers /> : <OwnCustomers />
}
