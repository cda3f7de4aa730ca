import { searchTextsTable } from '@bursar/store/schema'

/** External ids of customers. */
export const searchTexts = searchTextsTable()
