export * from './columns'
export { searchTextsTable } from './search-texts.table'
export * from './shared.table'
export { statusChangesTable } from './status-changes.table'
