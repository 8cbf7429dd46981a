// The inverse of a small matrix by P A = L D U with partial pivoting, as [Turno2023, sect. 3.2] asks
// for it, on one adder, one multiplier and one reciprocal: for comparison, the engine does without.
// hamiltree/math/ldup.hpp is the same in C++, with the equations; every operation here is one there.
// All happens in place, in one memory of Size x Size words, one operation at a time.
module ldup_inverter #(
  parameter int unsigned Size            = 4,  // 2 to 16
  parameter int unsigned AddLatency      = 5,
  parameter int unsigned MultiplyLatency = 4,
  parameter int unsigned BitsPerStage    = 3,
  localparam int unsigned IndexBits      = $clog2(Size)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   write_i,       // an entry of the matrix; not while busy
  input  logic [2*IndexBits-1:0] write_addr_i,  // {row, column}
  input  logic [31:0]            write_data_i,
  input  logic                   start_i,
  output logic                   busy_o,
  input  logic [2*IndexBits-1:0] read_addr_i,   // not while busy
  output logic [31:0]            read_data_o
);

  localparam logic [IndexBits-1:0] Last = IndexBits'(Size - 1);
  localparam logic [5:0] AddWait = 6'(AddLatency), MultiplyWait = 6'(MultiplyLatency),
                         ReciprocalWait = 6'(24 / BitsPerStage + 2);

  typedef enum logic [3:0] {
    Idle,
    Search,       // is entry (i, p) larger than the pivot (p, p)?
    ExchangeRow,  // rows i and p, column j
    Pivot,        // (1) c_p in the place of a_pp
    Scale,        // (2) l_ip
    Eliminate,    // (2) a_ij
    Upper,        // (3) u_ij
    InvertLower,  // (4) x_ij, from the last row upwards
    InvertUpper,  // (4) the same of U, transposed
    Columns,      // (5) b_ij
    Product,      // (6) y_ij
    Undo,         // (7) were rows i and p exchanged?
    ExchangeColumn
  } phase_e;
  // An element is a start, an entry or a product, and a sum of products over k.
  typedef enum logic [2:0] {Start, StartProduct, Sum, Multiply, Add, Store} action_e;

  phase_e               phase_q;
  action_e              action_q;
  logic [IndexBits-1:0] i_q, j_q, k_q, p_q;
  logic [5:0]           wait_q;
  logic [31:0]          sum_q;  // of an element; of an exchange the entry that waits
  logic                 second_half_q;
  logic [(1<<(2*IndexBits))-1:0] exchanged_q;  // by {i, p}

  // Memory: two words read and one written in a cycle.
  logic [31:0]            memory [0:(1<<(2*IndexBits))-1];
  logic [2*IndexBits-1:0] first, second, target;
  logic [31:0]            a, b, stored;
  logic                   store;
  assign a           = memory[first];
  assign b           = memory[second];
  assign read_data_o = a;
  always_ff @(posedge clk_i) if (store) memory[target] <= stored;

  logic [31:0] sum, product, reciprocal, product_q;
  float_multiply #(.Latency(MultiplyLatency)) u_multiply (
    .clk_i, .a_i(a), .b_i(b), .product_o(product)
  );
  float_add #(.Latency(AddLatency)) u_add (
    .clk_i, .a_i(sum_q), .b_i({product_q[31] ^ (phase_q == Eliminate), product_q[30:0]}),
    .sum_o(sum)
  );
  float_reciprocal #(.BitsPerStage(BitsPerStage)) u_reciprocal (
    .clk_i, .a_i(a), .reciprocal_o(reciprocal)
  );

  // The element under way: where it is, whether it starts with a product, and its sum's k.
  logic                 starts_with_product, larger, exchanges, transposes;
  logic [IndexBits-1:0] k_first;
  logic [IndexBits:0]   k_end;
  assign exchanges           = (phase_q == ExchangeRow) | (phase_q == ExchangeColumn);
  assign transposes          = phase_q == InvertUpper;
  assign starts_with_product = (phase_q == Scale) | (phase_q == Upper) | (phase_q == Columns) |
                               ((phase_q == Product) & (i_q > j_q));
  always_comb begin
    k_first = j_q + 1'b1;
    k_end   = {1'b0, j_q} + 1'b1;  // none
    if (phase_q == Eliminate) begin
      k_first = p_q;
      k_end   = {1'b0, p_q} + 1'b1;
    end else if ((phase_q == InvertLower) | (phase_q == InvertUpper)) begin
      k_end = {1'b0, i_q};
    end else if (phase_q == Product) begin
      if (i_q > j_q) k_first = i_q + 1'b1;
      k_end = (IndexBits+1)'(Size);
    end
  end
  logic has_terms;
  assign has_terms = (phase_q == Eliminate) |
                     (((phase_q == InvertLower) | (phase_q == InvertUpper)) &
                      ({1'b0, j_q} + 1'b1 < {1'b0, i_q})) |
                     ((phase_q == Product) & ((i_q > j_q ? i_q : j_q) != Last));

  // Ports of the memory.
  always_comb begin
    target = transposes ? {j_q, i_q} : {i_q, j_q};
    first  = target;
    second = {i_q, i_q};
    case (phase_q)
      Idle: begin
        target = write_addr_i;
        first  = read_addr_i;
      end
      Search: begin
        first  = {p_q, p_q};
        second = {i_q, p_q};
      end
      ExchangeRow: begin
        first  = {p_q, j_q};
        second = {i_q, j_q};
        target = second_half_q ? {i_q, j_q} : {p_q, j_q};
      end
      ExchangeColumn: begin
        first  = {j_q, p_q};
        second = {j_q, i_q};
        target = second_half_q ? {j_q, i_q} : {j_q, p_q};
      end
      Pivot: begin
        first  = {p_q, p_q};
        target = {p_q, p_q};
      end
      Scale: begin
        first  = {i_q, p_q};
        second = {p_q, p_q};
        target = {i_q, p_q};
      end
      Columns: second = {j_q, j_q};
      default: ;
    endcase
    if (action_q == Multiply) begin
      first  = transposes ? {k_q, i_q} : {i_q, k_q};
      second = transposes ? {j_q, k_q} : {k_q, j_q};
    end
  end
  assign larger = a[30:0] < b[30:0];

  always_comb begin
    store  = 1'b0;
    stored = {sum_q[31] ^ ((phase_q == InvertLower) | transposes), sum_q[30:0]};
    if (phase_q == Idle) begin
      store  = write_i;
      stored = write_data_i;
    end else if (exchanges) begin
      store  = 1'b1;
      stored = second_half_q ? sum_q : b;
    end else if ((phase_q != Search) & (phase_q != Undo)) begin
      store = action_q == Store;
    end
  end
  assign busy_o = phase_q != Idle;

  // One element: start, then product after product onto the sum, then store.
  logic stored_now;
  assign stored_now = (action_q == Store) & ~exchanges & (phase_q != Idle) & (phase_q != Search) &
                      (phase_q != Undo);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      action_q      <= Start;
      wait_q        <= '0;
      sum_q         <= '0;
      product_q     <= '0;
      k_q           <= '0;
      second_half_q <= 1'b0;
    end else if (exchanges) begin
      second_half_q <= ~second_half_q;
      if (!second_half_q) sum_q <= a;
    end else if ((phase_q == Idle) | (phase_q == Search) | (phase_q == Undo)) begin
      action_q <= Start;
    end else begin
      wait_q <= wait_q - 6'd1;
      case (action_q)
        Start: begin
          action_q <= (phase_q == Pivot) | starts_with_product ? StartProduct : Sum;
          wait_q   <= phase_q == Pivot ? ReciprocalWait - 6'd1 : MultiplyWait - 6'd1;
          sum_q    <= a;
        end
        StartProduct: if (wait_q == 6'd0) begin
          sum_q    <= phase_q == Pivot ? reciprocal : product;
          action_q <= Sum;
        end
        Sum: begin
          k_q      <= k_first;
          wait_q   <= MultiplyWait;
          action_q <= has_terms ? Multiply : Store;
        end
        Multiply: if (wait_q == 6'd0) begin
          product_q <= product;
          wait_q    <= AddWait;
          action_q  <= Add;
        end
        Add: if (wait_q == 6'd0) begin
          sum_q    <= sum;
          k_q      <= k_q + 1'b1;
          wait_q   <= MultiplyWait;
          action_q <= {1'b0, k_q} + 1'b1 == k_end ? Store : Multiply;
        end
        default: action_q <= Start;
      endcase
    end
  end

  // From element to element and from phase to phase.
  logic row_ends;
  assign row_ends = j_q == Last;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q     <= Idle;
      i_q         <= '0;
      j_q         <= '0;
      p_q         <= '0;
      exchanged_q <= '0;
    end else begin
      case (phase_q)
        Idle: if (start_i) begin
          phase_q     <= Search;
          p_q         <= '0;
          i_q         <= IndexBits'(1);
          exchanged_q <= '0;
        end
        Search: begin
          j_q <= '0;
          exchanged_q[{i_q, p_q}] <= larger;
          if (larger)           phase_q <= ExchangeRow;
          else if (i_q == Last) phase_q <= Pivot;
          else                  i_q <= i_q + 1'b1;
        end
        ExchangeRow: if (second_half_q) begin
          j_q <= j_q + 1'b1;
          if (row_ends) begin
            phase_q <= i_q == Last ? Pivot : Search;
            i_q     <= i_q == Last ? i_q : i_q + 1'b1;
          end
        end
        Pivot: if (stored_now) begin
          phase_q <= p_q == Last ? Upper : Scale;
          i_q     <= p_q == Last ? '0 : p_q + 1'b1;
          j_q     <= IndexBits'(1);
        end
        Scale: if (stored_now) begin
          phase_q <= Eliminate;
          j_q     <= p_q + 1'b1;
        end
        Eliminate: if (stored_now) begin
          j_q <= j_q + 1'b1;
          if (row_ends) begin
            phase_q <= i_q != Last ? Scale : p_q + 1'b1 == Last ? Pivot : Search;
            i_q     <= i_q != Last ? i_q + 1'b1 : p_q + 1'b1 == Last ? Last : p_q + IndexBits'(2);
            p_q     <= i_q != Last ? p_q : p_q + 1'b1;
          end
        end
        Upper, Columns: if (stored_now) begin
          j_q <= j_q + 1'b1;
          if (row_ends) begin
            i_q <= i_q + 1'b1;
            j_q <= i_q + IndexBits'(2);
            if (i_q + 1'b1 == Last) begin
              phase_q <= phase_q == Upper ? InvertLower : Product;
              i_q     <= phase_q == Upper ? Last : '0;
              j_q     <= phase_q == Upper ? Last - 1'b1 : '0;
            end
          end
        end
        InvertLower, InvertUpper: if (stored_now) begin
          j_q <= j_q - 1'b1;
          if (j_q == '0) begin
            i_q <= i_q - 1'b1;
            j_q <= i_q - IndexBits'(2);
            if (i_q == IndexBits'(1)) begin
              phase_q <= phase_q == InvertLower ? InvertUpper : Columns;
              i_q     <= phase_q == InvertLower ? Last : '0;
              j_q     <= phase_q == InvertLower ? Last - 1'b1 : IndexBits'(1);
            end
          end
        end
        Product: if (stored_now) begin
          j_q <= row_ends ? '0 : j_q + 1'b1;
          if (row_ends) begin
            i_q <= i_q + 1'b1;
            if (i_q == Last) begin
              phase_q <= Undo;
              p_q     <= Last - 1'b1;
              i_q     <= Last;
            end
          end
        end
        Undo: begin
          j_q <= '0;
          if (exchanged_q[{i_q, p_q}]) begin
            phase_q <= ExchangeColumn;
            exchanged_q[{i_q, p_q}] <= 1'b0;
          end else if (i_q != p_q + 1'b1) begin
            i_q <= i_q - 1'b1;
          end else begin
            phase_q <= p_q == '0 ? Idle : Undo;
            p_q     <= p_q - 1'b1;
            i_q     <= Last;
          end
        end
        ExchangeColumn: if (second_half_q) begin
          j_q <= j_q + 1'b1;
          if (row_ends) phase_q <= Undo;
        end
        default: phase_q <= Idle;
      endcase
    end
  end

endmodule
