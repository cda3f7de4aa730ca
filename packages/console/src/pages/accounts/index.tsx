import { useCan } from '../../api/session'
import { AllAccounts } from './all-accounts'
import { OwnAccounts } from './own-accounts'

/** Accounts: all for staff, only its own for users of an institution. */
export default function Accounts() {
  return useCan('read') ? <AllAccounts /> : <OwnAccounts />
}
