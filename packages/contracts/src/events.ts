// Importing this module fills the catalogue with every event there is; each contract stands here once.
import './log-tracker'
import './quote'

export { eventCatalogue } from './event'
