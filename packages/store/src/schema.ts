export * from './columns'
export * from './shared.table'
