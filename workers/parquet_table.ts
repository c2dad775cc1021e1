import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

/** Column types: string is UTF-8 text, number is a 64-bit float, integer is a signed 64-bit integer (a bigint here). */
export type TableColumn = readonly [name: string, type: 'string' | 'number' | 'integer' | 'boolean'];

/** Writes a table without nulls as Parquet, one row group at a time. */
export class TableWriter {
  private readonly out = new ByteWriter();
  private readonly writer: ParquetWriter;
  private readonly columns: readonly TableColumn[];

  constructor(columns: readonly TableColumn[]) {
    this.columns = columns;
    const fields = columns.map(([name, type]) => {
      const field = { name, repetition_type: 'REQUIRED' } as const;
      if (type === 'number') return { ...field, type: 'DOUBLE' } as const;
      if (type === 'integer') return { ...field, type: 'INT64' } as const;
      if (type === 'boolean') return { ...field, type: 'BOOLEAN' } as const;
      return { ...field, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
    });
    this.writer = new ParquetWriter({
      writer: this.out,
      schema: [{ name: 'schema', num_children: fields.length }, ...fields],
      createdBy: 'boundary-lookup',
    });
  }

  /** The bytes of one row group. Each row has a value for every column. */
  async write(rows: readonly (readonly (string | number | bigint | boolean)[])[]): Promise<Uint8Array> {
    const columnData = this.columns.map(([name], i) => ({ name, data: rows.map((row) => row[i]) }));
    await this.writer.write({ columnData, rowGroupSize: rows.length });
    return this.take();
  }

  /** The bytes of the file's footer. */
  async end(): Promise<Uint8Array> {
    await this.writer.finish();
    return this.take();
  }

  private take(): Uint8Array {
    const bytes = this.out.getBytes().slice();
    this.out.index = 0;
    return bytes;
  }
}
