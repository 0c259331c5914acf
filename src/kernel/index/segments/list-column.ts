import { elementAt } from "../../../text/arrays/element-at.ts";
import { type ByteWriter, createByteWriter } from "./varint.ts";

/**
 * Encoded lists, one after the other in one buffer. A batch has tens of thousands, and a view of
 * each would be an object for the garbage collector.
 */
export interface ListColumn {
  writer: ByteWriter;
  /** By list: the offset of its end. */
  ends: number[];
}

export const createListColumn = (): ListColumn => ({ writer: createByteWriter(), ends: [] });

export function clearListColumn(column: ListColumn): void {
  column.writer.at = 0;
  column.ends = [];
}

/** Ends the list whose bytes were written to the writer. */
export function endList({ ends, writer }: ListColumn): void {
  ends.push(writer.at);
}

export const startOfList = ({ ends }: ListColumn, list: number): number =>
  list === 0 ? 0 : elementAt(ends, list - 1);

/** A view of a list, valid until the column is written to again. */
export const listAt = (column: ListColumn, list: number): Uint8Array =>
  column.writer.bytes.subarray(startOfList(column, list), elementAt(column.ends, list));
