// Importing this module fills the catalogue with every event there is; each contract stands here once.
import './account'
import './blockchain'
import './core-ledger'
import './customer'
import './ledger-seals'
import './log-tracker'
import './participant'
import './quote'
import './sanctions'
import './wallet'
import './webhook'

export { eventCatalogue } from './event'
