import { searchTextsTable } from '@bursar/store/schema'

/** Names, external ids and addresses of accounts. */
export const searchTexts = searchTextsTable()
