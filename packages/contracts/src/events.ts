// Importing this module fills the catalogue with every event there is; each contract stands here once.
import './account'
import './customer'
import './log-tracker'
import './participant'
import './quote'

export { eventCatalogue } from './event'
