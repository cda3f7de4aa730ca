import { useCan } from '../../api/session'
import { AllCustomers } from './all-customers'
import { OwnCustomers } from './own-customers'

/** Whose accounts they are: for staff all customers, for people of an institution its own. */
export default function Customers() {
  return useCan('read') ? <AllCustomers /> : <OwnCustomers />
}
