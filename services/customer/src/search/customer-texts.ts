import { textIndex } from '@bursar/store'
import { searchTexts } from './search-texts.table'

/** The texts by which customers are found. */
export const customerTexts = textIndex(searchTexts)
